import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DoctorRow } from '../../api/upkeep.ts'
import type { Probe } from '../../agents/adapter.ts'
import { geminiAdapter } from '../../agents/gemini/index.ts'
import { doctor } from './doctor.ts'
import { probeText } from '../prepare/probe-agent.ts'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-doctor-')))
  for (const folder of ['bin', 'plain/.looper']) mkdirSync(join(home, folder), { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** A fake program on the PATH that answers like Claude Code. */
function installClaude(version: string, loggedIn: boolean): void {
  const path = join(home, 'bin/claude')
  writeFileSync(
    path,
    `#!/bin/sh\ncase "$1" in --version) echo '${version} (Claude Code)';; auth) echo '{"loggedIn":${loggedIn}}';; *) exit 9;; esac\n`,
  )
  chmodSync(path, 0o755)
}

/** Only the rows of the agents: the folder is not a repository. */
async function agentRows(agents: Record<string, unknown>, agent: string): Promise<DoctorRow[]> {
  mkdirSync(join(home, '.config/looper'), { recursive: true })
  const env = { PATH: join(home, 'bin'), HOME: home, LOOPER_AGENT: agent, LOOPER_AGENTS: JSON.stringify(agents) }
  const rows = await doctor(
    { cwd: join(home, 'plain'), env, home, packageFolder: '/', version: '0' },
    { repair: false },
  )
  return rows.filter(({ check }) => check.startsWith('agent '))
}

describe('doctor asks installed agents about themselves (D5)', () => {
  const can = 'takes a schema, resumes sessions, has a read-only mode, keeps to a budget'
  const advice = 'Not logged in: run `claude` once and log in, or set ANTHROPIC_API_KEY.'

  test.each([
    [true, { ok: true, detail: `2.1.325 · logged in · ${can}`, hint: null }],
    [false, { ok: false, detail: `2.1.325 · not logged in · ${can}`, hint: advice }],
  ])('which is logged in: %s', async (loggedIn, row) => {
    installClaude('2.1.325', loggedIn)
    expect(await agentRows({}, 'claude')).toEqual([{ check: 'agent claude', ...row }])
  })

  test('but starts no program of the repository, and none with code that its settings name', async () => {
    const ran = join(home, 'ran')
    const program = (path: string, line: string): void => {
      writeFileSync(path, `#!/bin/sh\n${line}\n`)
      chmodSync(path, 0o755)
    }
    program(join(home, 'plain/agent.sh'), `echo x >> ${ran}`)
    expect(await agentRows({ own: { type: 'claude', bin: './agent.sh' } }, 'own')).toEqual([
      { check: 'agent own', ok: true, detail: join(home, 'plain/agent.sh'), hint: null },
    ])
    program(join(home, 'bin/claude'), `test -z "$NODE_OPTIONS" || echo x >> ${ran}; echo 2.1.325`)
    await agentRows({ claude: { env: { NODE_OPTIONS: '--require ./a.js' } } }, 'claude')
    expect(existsSync(ran)).toBe(false)
  })

  test('and reports an untested version', async () => {
    installClaude('2.1.400', true)
    expect(await agentRows({}, 'claude')).toMatchObject([
      { ok: true, detail: expect.stringMatching(/^2\.1\.400 \(tested with 2\.1\.325\) · logged in · /) },
    ])
  })

  test('how one answers is what its login allows, not what its kind does', () => {
    const probe: Probe = { version: '0.61.0', login: 'yes', problems: [] }
    expect(probeText(geminiAdapter, { ...probe, structured: 'tool' })).toContain('answers through a tool')
    expect(probeText(geminiAdapter, { ...probe, structured: 'words' })).toContain('answers in words')
  })

  test('F16: those who come in when work stalls or races are looked at as well', async () => {
    const agents = { mine: { command: [process.execPath] }, other: { command: ['no-such-program'] } }
    expect(await agentRows(agents, 'mine')).toMatchObject([
      { check: 'agent mine', ok: true },
      { check: 'agent other', ok: false },
    ])
  })

  test('a missing program of an unused agent is reported, but is no failure', async () => {
    installClaude('2.1.325', false)
    const agents = { mine: { command: [process.execPath] } }
    expect(await agentRows(agents, 'mine')).toEqual([
      { check: 'agent mine', ok: true, detail: process.execPath, hint: null },
      { check: 'agent claude', ok: true, detail: expect.stringContaining('not logged in'), hint: advice },
    ])
  })
})

test.each([
  ['sandboxAllow', { LOOPER_SANDBOX_ALLOW: '~/.typo' }, {}],
  ['agents.mine.sandboxAllow', {}, { sandboxAllow: ['~/.typo'] }],
])('"%s" that names a path which does not exist is a fault', async (key, more, ofAgent) => {
  const agents = JSON.stringify({ mine: { command: [process.execPath], ...ofAgent } })
  const env = { PATH: join(home, 'bin'), HOME: home, LOOPER_AGENT: 'mine', LOOPER_AGENTS: agents, ...more }
  const look = async (): Promise<DoctorRow[]> =>
    (await doctor({ cwd: join(home, 'plain'), env, home, packageFolder: '/', version: '0' }, { repair: false })).filter(
      ({ detail }) => detail.includes('.typo'),
    )
  const detail = expect.stringMatching(`^"${key}" names ~/.typo, which does not exist`)
  expect(await look()).toMatchObject([{ check: 'sandbox', ok: false, detail }])
  mkdirSync(join(home, '.typo'))
  expect(await look()).toEqual([])
})

test('the configuration of a repository without a commit is read', async () => {
  execFileSync('git', ['init', '-q', join(home, 'plain')])
  writeFileSync(join(home, 'plain/.looper/config.json'), '{"agent":"mine","agents":{"mine":{"command":["true"]}}}')
  const env = { PATH: process.env['PATH'], HOME: home }
  const context = { cwd: join(home, 'plain'), env, home, packageFolder: '/', version: '0' }
  const rows = await doctor(context, { repair: false })
  expect(rows).toContainEqual({ check: 'config', ok: true, detail: 'the project file is valid', hint: null })
  expect(rows.find(({ check }) => check.startsWith('agent'))).toMatchObject({ ok: true })
})
