/** One turn of an agent as a real process, started as a turn is started. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { AgentAdapter, AgentEvent, Ending, PlanRequest, SpawnSpec, TurnAnswer } from '../../src/agents/adapter.ts'
import { agentEnvironment } from '../../src/agents/environment.ts'
import { requestIn } from './plan-laws.ts'

export interface PlayedTurn extends SpawnSpec, Ending {
  cwd: string
  stdout: string
  events: AgentEvent[]
  answer: TurnAnswer
}

const tools = resolve(import.meta.dirname, '../../dist/tools.js')

/** `root`: a folder for this turn alone. `meanwhile`: told of the process, which has a group of its own. */
export async function playTurn(
  adapter: AgentAdapter,
  root: string,
  change: Partial<PlanRequest>,
  meanwhile?: (pid: number, isOver: () => boolean) => Promise<void>,
): Promise<PlayedTurn> {
  const { resultFile, schemaFile, ...rest } = requestIn(root, change)
  const outbox = join(root, 'outbox.jsonl')
  const env = {
    LOOPER_PURPOSE: 'implement',
    LOOPER_RESULT_FILE: resultFile,
    LOOPER_RESULT_SCHEMA: schemaFile,
    LOOPER_OUTBOX: outbox,
  }
  const { work, agent, cwd, folder, ...request } = { ...rest, mcp: { command: process.execPath, args: [tools], env } }
  const plan = adapter.plan({ ...request, work, agent, cwd, folder, resultFile, schemaFile })
  for (const each of [cwd, folder]) mkdirSync(each, { recursive: true })
  for (const { path, content } of plan.files) writeFileSync(path, content)
  const child = spawn(plan.argv[0], plan.argv.slice(1), {
    cwd,
    env: agentEnvironment(process.env, plan),
    detached: true,
  })
  let isOver = false
  const over = once(child, 'close').then(() => {
    isOver = true
  })
  child.stdin.on('error', () => {}).end(plan.stdin)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    over,
    meanwhile?.(child.pid ?? 0, () => isOver),
  ])
  const file = existsSync(resultFile) ? readFileSync(resultFile, 'utf8') : null
  const ending: Ending = { code: child.exitCode, signal: child.signalCode, file, stderr, extra: null }
  const parser = adapter.parser({ agent, work, startedAt: new Date().toISOString() })
  const events = stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => parser.push(line))
  return { ...plan, ...ending, cwd, stdout, events, answer: parser.end(ending) }
}
