/**
 * `npm run record -- [--only claude] [--case ok-text]`: has the real CLIs talk with the scripted model and keeps what
 * they print.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createModelServer } from 'looper/testing'
import { agentCache, agentVersions, installAgent } from '../../scripts/install-agent.js'
import { converse } from './acp-client.js'
import { acpAgents } from './agents/acp.js'
import { claude } from './agents/claude.js'
import { codex } from './agents/codex.js'
import { gemini } from './agents/gemini.js'
import { opencode } from './agents/opencode.js'
import { drive } from './drive.js'
import { leaks, redactor } from './redact.js'

const agents = [claude, codex, gemini, opencode, ...acpAgents]
const stderrTail = 4_000
const mcpServer = join(import.meta.dirname, 'mcp-server.js')

const { values } = parseArgs({ options: { only: { type: 'string' }, case: { type: 'string' } } })

/** @typedef {import('./agents/agent.d.ts').Agent} Agent */

/**
 * @type {(server: import('looper/testing').ModelServer, agent: Agent, scenario: import('./agents/agent.d.ts').Case) =>
 * Promise<void>}
 */
async function recordCase(server, agent, scenario) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'looper-recording-')))
  const place = { folder, home: join(folder, 'home'), workspace: join(folder, 'workspace') }
  try {
    await mkdir(place.home)
    await promisify(execFile)('git', ['init', '--quiet', place.workspace])
    const lines = await recordTurn(server, agent, scenario, scenario.options ?? {}, place)
    if (scenario.next)
      await recordTurn(
        server,
        agent,
        scenario.next,
        { ...scenario.next.options, session: agent.sessionIn(lines) },
        place,
      )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {import('looper/testing').ModelServer} server
 * @param {Agent} agent
 * @param {import('./agents/agent.d.ts').Turn} turn
 * @param {import('./agents/agent.d.ts').TurnOptions} options
 * @param {{ folder: string, home: string, workspace: string }} place
 */
async function recordTurn(server, agent, turn, options, { folder, home, workspace }) {
  const install = agent.install ?? agent.name
  const program = await installAgent(install)
  const { version } = agentVersions[install] ?? {}
  const model = server.script(`${agent.name}-${turn.name}`, turn.script)
  const start = agent.start({
    program,
    home,
    workspace,
    baseUrls: model.baseUrls,
    mcpServer: [process.execPath, mcpServer],
    options,
  })
  const prompt = `${turn.prompt ?? 'Say hello.'}\n`
  const startedAt = new Date().toISOString()
  const talk = agent.speaks === 'acp' ? acpTalk(options, workspace) : null
  const driven = await drive(start, { folder, workspace, home, prompt, turn, talk, asked: model.asked(1) })
  const redact = redactor({
    [`{${agent.name}}`]: program,
    '{workspace}': workspace,
    '{home}': home,
    '{folder}': folder,
    '{agents}': agentCache,
    '{model}': server.url,
    '{model-host}': new URL(server.url).host,
    '{node}': process.execPath,
    '{mcp-server}': mcpServer,
  })
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true })
  const facts = {
    agent: agent.name,
    version,
    case: turn.name,
    argv: start.argv,
    env: start.env,
    stdin: driven.stdin,
    exit: driven.exit,
    ...(driven.ended ? { ended: driven.ended } : {}),
    ...(turn.interrupt ? { interrupt: turn.interrupt } : {}),
    startedAt,
    durationMs: driven.durationMs,
    leftBehind: driven.leftBehind,
    requests: model.requests().length,
    unscripted: model.unscripted().length,
    tools: model.requests()[0]?.tools.map(({ name, namespace }) => `${namespace ?? ''}${name}`) ?? [],
    files: entries
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git'))
      .map(({ name }) => name)
      .toSorted(),
    ...(turn.resetsAt ? { resetsAt: turn.resetsAt } : {}),
    ...(start.lastMessage ? { lastMessage: driven.lastMessage } : {}),
    stderr: driven.stderr.slice(-stderrTail),
  }
  const [stream, json] = [redact(driven.stdout), `${redact(JSON.stringify(facts, null, 2))}\n`]
  const leaked = leaks(stream + json)
  if (leaked.length > 0) throw new Error(`${turn.name} tells where it was made: ${leaked.join(', ')}`)
  const target = join(import.meta.dirname, `${agent.name}-${version}`)
  await mkdir(target, { recursive: true })
  await writeFile(join(target, `${turn.name}.jsonl`), stream)
  await writeFile(join(target, `${turn.name}.json`), json)
  const { exit, requests, durationMs } = facts
  process.stdout.write(
    `${agent.name} ${turn.name}: exit ${exit.code ?? exit.signal}, ${requests} requests, ${durationMs} ms\n`,
  )
  return driven.stdout.split('\n').filter((line) => line !== '')
}

/** @type {(options: import('./agents/agent.d.ts').TurnOptions, workspace: string) => import('./drive.js').Talk} */
const acpTalk = (options, workspace) => (child, prompt, cancel) =>
  converse(child, {
    workspace,
    prompt,
    session: options.session,
    mode: options.mode,
    cancel,
    mcpServers: options.mcp ? [{ name: 'looper', command: process.execPath, args: [mcpServer], env: [] }] : [],
  })

/** @type {(wanted: string | undefined) => (named: { name: string }) => boolean} */
const isWanted =
  (wanted) =>
  ({ name }) =>
    wanted === undefined || wanted === name

const server = await createModelServer()
try {
  for (const agent of agents.filter(isWanted(values.only))) {
    for (const scenario of agent.cases.filter(isWanted(values.case))) await recordCase(server, agent, scenario)
  }
} finally {
  await server.close()
}
