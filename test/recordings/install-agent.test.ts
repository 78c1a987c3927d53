/** Finding what is installed; installing itself is proven by every recording. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import versions from '../../scripts/agent-versions.json' with { type: 'json' }

const script = resolve(import.meta.dirname, '../../scripts/install-agent.js')
let cache = ''
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'looper-agents-'))
})
afterAll(() => rmSync(cache, { recursive: true, force: true }))

function install(name: string): string {
  const code = `import(${JSON.stringify(script)}).then(({ installAgent }) => installAgent(${JSON.stringify(name)})).then((path) => process.stdout.write(path),
    (error) => process.stdout.write(error.message))`
  return execFileSync(process.execPath, ['-e', code], {
    env: { PATH: process.env['PATH'], LOOPER_AGENT_CACHE: cache },
    encoding: 'utf8',
  })
}

function put(path: string): string {
  const file = join(cache, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  return file
}

test('finds the program where it is linked', () => {
  const program = put(`claude-${versions.claude.version}/node_modules/.bin/claude`)
  expect(install('claude')).toBe(program)
})

test('finds the native program, whatever the platform is called', () => {
  const program = put(`codex-${versions.codex.version}/node_modules/@openai/codex-some-os/vendor/some-triple/bin/codex`)
  put(`codex-${versions.codex.version}/node_modules/@openai/codex/bin/codex.js`)
  expect(install('codex')).toBe(program)
})

test('says what is missing of an installation', () => {
  mkdirSync(join(cache, `gemini-${versions.gemini.version}`))
  expect(install('gemini')).toMatch(/gemini-\S+node_modules is missing: delete the folder/)
})

test('says which agents there are', () =>
  expect(install('unknown')).toMatch(/no pinned version of "unknown".*claude, codex/))
