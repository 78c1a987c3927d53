import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ProbeRequest } from '../adapter.ts'
import { probe } from './probe.ts'

const root = mkdtempSync(join(tmpdir(), 'looper-opencode-'))
afterAll(() => rmSync(root, { recursive: true }))

function home(name: string, logins: string): string {
  const folder = join(root, name, '.local', 'share', 'opencode')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'auth.json'), logins)
  return join(root, name)
}
const loggedIn = home('in', '{"anthropic":{"type":"oauth"}}')

const opencode = (stdout: string, more: Partial<ProbeRequest> = {}) =>
  probe({
    agent: {},
    env: {},
    home: join(root, 'none'),
    ...more,
    ask: async () => ({ exitCode: 0, stdout, stderr: '' }),
  })

test.each<[string, Partial<ProbeRequest>, string]>([
  ['nothing', {}, 'unknown'],
  ['a key', { env: { OPENAI_API_KEY: 'k' } }, 'yes'],
  ['a login', { home: loggedIn }, 'yes'],
  ['a login elsewhere', { env: { XDG_DATA_HOME: join(loggedIn, '.local', 'share') } }, 'yes'],
  ['no login any more', { home: home('out', '{}') }, 'unknown'],
  ['a broken file', { home: home('broken', '{') }, 'unknown'],
])('%s: %s', async (_, more, login) => {
  expect(await opencode('1.18.33\n', more)).toEqual({ version: '1.18.33', login, problems: [] })
})

test('one that does not start', async () => {
  const problems = [expect.stringContaining('does not print a version')]
  expect(await opencode('')).toEqual({ version: null, login: 'unknown', problems })
})
