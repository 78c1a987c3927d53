import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ProbeRequest } from '../adapter.ts'
import { probe } from './probe.ts'

const home = mkdtempSync(join(tmpdir(), 'looper-codex-'))
afterAll(() => rmSync(home, { recursive: true }))
for (const [name, config] of [
  ['own', 'model = "x"\nmodel_provider = "azure"\n'],
  ['openai', 'model_provider = "openai"\n'],
] as const) {
  mkdirSync(join(home, name, '.codex'), { recursive: true })
  writeFileSync(join(home, name, '.codex', 'config.toml'), config)
}

interface Answers {
  status?: [exitCode: number, stderr: string]
  sandbox?: [exitCode: number, stderr: string]
}

/** Answers like the real program. */
function codex(more: Partial<ProbeRequest>, { status = [1, 'Not logged in'], sandbox = [0, ''] }: Answers = {}) {
  return probe({
    agent: {},
    env: {},
    home: join(home, 'none'),
    ...more,
    ask: async ([first]) => {
      const [exitCode, stderr] = first === '--version' ? [0, ''] : first === 'login' ? status : sandbox
      return { exitCode, stdout: first === '--version' ? 'codex-cli 0.166.0' : '', stderr }
    },
  })
}

const advice = 'Not logged in: run `codex login`, or set CODEX_API_KEY.'

test.each<[string, Partial<ProbeRequest>, Answers, string, string[]]>([
  ['logged in', {}, { status: [0, 'Logged in using ChatGPT'] }, 'yes', []],
  ['not logged in', {}, {}, 'no', [advice]],
  ['a key that it reads', { env: { CODEX_API_KEY: 'sk' } }, {}, 'yes', []],
  [
    'a key that it does not read',
    { env: { OPENAI_API_KEY: 'sk' } },
    {},
    'no',
    [expect.stringContaining('--with-api-key') as string],
  ],
  ['a provider of its own', { home: join(home, 'own') }, {}, 'unknown', []],
  ['a provider of its own elsewhere', { env: { CODEX_HOME: join(home, 'own', '.codex') } }, {}, 'unknown', []],
  ['a provider among the arguments', { agent: { args: ['-c', 'model_provider="scripted"'] } }, {}, 'unknown', []],
  ['OpenAI by name', { home: join(home, 'openai') }, {}, 'no', [advice]],
  [
    'an older one that does not know the question',
    {},
    { status: [2, 'error: unrecognized subcommand'] },
    'unknown',
    [],
  ],
])('%s', async (_, more, answers, login, problems) => {
  expect(await codex(more, answers)).toEqual({ version: '0.166.0', login, problems })
})

test('a sandbox that cannot be made is a problem, one that cannot be asked for is none', async () => {
  const login: Answers = { status: [0, ''] }
  const { problems } = await codex(
    {},
    { ...login, sandbox: [1, 'WARNING\nbwrap: No permissions to create new namespace\n'] },
  )
  expect(problems).toEqual([
    expect.stringContaining('(bwrap: No permissions to create new namespace): allow it, or add "-c"'),
  ])
  expect((await codex({}, { ...login, sandbox: [2, 'error: unrecognized subcommand'] })).problems).toEqual([])
})
