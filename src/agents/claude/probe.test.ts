import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ProbeRequest } from '../adapter.ts'
import { missingLogin, probe } from './probe.ts'

const home = mkdtempSync(join(tmpdir(), 'looper-claude-'))
afterAll(() => rmSync(home, { recursive: true }))
mkdirSync(join(home, 'with', '.claude'), { recursive: true })
writeFileSync(join(home, 'with', '.claude', '.credentials.json'), '{}')

const advice = ['Not logged in: run `claude` once and log in, or set ANTHROPIC_API_KEY.']

/** Answers like the real program; an old version would take `auth status` for a prompt. */
function claude(version: string, status: string, more: Partial<ProbeRequest> = {}) {
  const asked: string[] = []
  const request: ProbeRequest = {
    agent: {},
    env: {},
    home: join(home, 'without'),
    ...more,
    ask: async (args) => {
      asked.push(args.join(' '))
      return { exitCode: 0, stdout: args[0] === '--version' ? version : status, stderr: '' }
    },
  }
  return { asked, found: probe(request) }
}

test.each([
  ['{ "loggedIn": true, "authMethod": "claude.ai" }', 'yes', []],
  ['{ "loggedIn": false, "authMethod": "none" }', 'no', advice],
  ['What do you mean?', 'unknown', []],
])('%s: %s', async (status, login, problems) => {
  expect(await claude('2.1.325 (Claude Code)', status).found).toEqual({ version: '2.1.325', login, problems })
})

test.each<[Partial<ProbeRequest>, string]>([
  [{}, 'unknown'],
  [{ env: { ANTHROPIC_API_KEY: 'sk' } }, 'yes'],
  [{ env: { ANTHROPIC_API_KEY: '' } }, 'unknown'],
  [{ env: { CLAUDE_CODE_OAUTH_TOKEN: 'sk' } }, 'yes'],
  [{ home: join(home, 'with') }, 'yes'],
  [{ env: { CLAUDE_CONFIG_DIR: join(home, 'with', '.claude') } }, 'yes'],
])('an old one is not asked: %o is %s', async (more, login) => {
  const { asked, found } = claude('1.0.33 (Claude Code)', '{"loggedIn":false}', more)
  expect((await found).login).toBe(login)
  expect(asked).toEqual(['--version'])
})

test.each(['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'])('with %s the login is unknown', async (name) => {
  const { found } = claude('2.1.325', '{ "loggedIn": true, "authMethod": "third_party" }', { env: { [name]: '1' } })
  expect(await found).toEqual({ version: '2.1.325', login: 'unknown', problems: [] })
})

test('one that does not start is not asked further', async () => {
  const { asked, found } = claude('', '')
  expect(await found).toMatchObject({
    version: null,
    login: 'unknown',
    problems: [expect.stringContaining('does not print a version')],
  })
  expect(asked).toEqual(['--version'])
})

test.each<[string, Partial<ProbeRequest>, string | null, string[]]>([
  [
    '{"loggedIn":false}',
    {},
    'run `claude` once and log in, or set ANTHROPIC_API_KEY',
    ['--version', 'auth status --json'],
  ],
  ['{"loggedIn":true}', {}, null, ['--version', 'auth status --json']],
  ['{"loggedIn":false}', { env: { ANTHROPIC_API_KEY: 'sk' } }, null, []],
  ['{"loggedIn":false}', { home: join(home, 'with') }, null, []],
  ['{"loggedIn":false}', { env: { CLAUDE_CODE_USE_VERTEX: '1' } }, null, ['--version']],
])('before a run: %s with %o', async (status, more, advice, calls) => {
  const asked: string[] = []
  const found = await missingLogin({
    agent: {},
    env: {},
    home: join(home, 'without'),
    ...more,
    ask: async (args) => {
      asked.push(args.join(' '))
      return { exitCode: 0, stdout: args[0] === '--version' ? '2.1.325' : status, stderr: '' }
    },
  })
  expect([found, asked]).toEqual([advice, calls])
})
