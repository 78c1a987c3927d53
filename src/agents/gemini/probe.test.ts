import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ProbeRequest } from '../adapter.ts'
import { createProbe } from './probe.ts'

const root = mkdtempSync(join(tmpdir(), 'looper-gemini-'))
afterAll(() => rmSync(root, { recursive: true }))

/** A home with one file in `.gemini`. */
function home(name: string, file: string, content = ''): string {
  mkdirSync(join(root, name, '.gemini'), { recursive: true })
  writeFileSync(join(root, name, '.gemini', file), content)
  return join(root, name)
}
const loggedIn = home('in', 'oauth_creds.json')
const chosen = home(
  'chosen',
  'settings.json',
  '{ // mine\n "security": { "auth": { "selectedType": "oauth-personal" } } }',
)
const unchosen = home('unchosen', 'settings.json', '{}')

const gemini = (stdout: string, more: Partial<ProbeRequest> = {}, isRoot = false) =>
  createProbe({ isRoot })({
    agent: {},
    env: {},
    home: unchosen,
    ...more,
    ask: async () => ({ exitCode: 0, stdout, stderr: '' }),
  })

test.each<[string, Partial<ProbeRequest>, string]>([
  ['nothing', {}, 'no'],
  ['an empty key', { env: { GEMINI_API_KEY: '' } }, 'no'],
  ['a key', { env: { GEMINI_API_KEY: 'k' } }, 'yes'],
  ['Vertex AI', { env: { GOOGLE_GENAI_USE_VERTEXAI: 'true' } }, 'yes'],
  ['a login', { home: loggedIn }, 'yes'],
  ['a login elsewhere', { env: { GEMINI_CLI_HOME: loggedIn } }, 'yes'],
  ['a way to log in, with nothing to see of it', { home: chosen }, 'unknown'],
  ['variables in a file', { home: home('env', '.env') }, 'unknown'],
])('%s: %s', async (_, more, login) => {
  const found = await gemini('0.61.0\n', more)
  expect(found).toMatchObject({ version: '0.61.0', login })
  expect(found.problems).toEqual(login === 'no' ? [expect.stringContaining('GEMINI_API_KEY')] : [])
})

test.each<[boolean, Record<string, string>, string]>([
  [false, {}, 'words'],
  [false, { GEMINI_API_KEY: 'k' }, 'tool'],
  [false, { GEMINI_API_KEY: 'k', GEMINI_CLI_HOME: '/mine' }, 'words'],
  [false, { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, 'words'],
  [true, {}, 'tool'],
  [true, { GEMINI_CLI_HOME: '/mine' }, 'tool'],
])('how it answers depends on what it may be configured with: root %s, %j: %s', async (isRoot, env, structured) => {
  expect(await gemini('0.61.0\n', { env }, isRoot)).toMatchObject({ structured })
})

test('one that does not start', async () => {
  const problems = [expect.stringContaining('does not print a version')]
  expect(await gemini('')).toEqual({ version: null, login: 'unknown', structured: 'words', problems })
})
