import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { discoverChecks } from './discover.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-discover-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (files: Record<string, unknown>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}
const scripts = { test: 'vitest run', lint: 'oxlint', build: 'rolldown' }

describe('discoverChecks', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, []],
    ['npm', { 'package.json': { scripts }, 'package-lock.json': '{}' }, ['npm run lint', 'npm test']],
    ['npm without a lock file', { 'package.json': { scripts: { test: 'x' } } }, ['npm test']],
    [
      'pnpm',
      { 'package.json': { scripts: { ...scripts, typecheck: 'tsc' } }, 'pnpm-lock.yaml': '' },
      ['pnpm run typecheck', 'pnpm run lint', 'pnpm test'],
    ],
    [
      'yarn',
      { 'package.json': { scripts: { ...scripts, types: 'tsc' } }, 'yarn.lock': '' },
      ['yarn run types', 'yarn run lint', 'yarn test'],
    ],
    [
      'bun',
      { 'package.json': { scripts: { ...scripts, 'type-check': 'tsc' } }, 'bun.lock': '' },
      ['bun run type-check', 'bun run lint', 'bun run test'],
    ],
    [
      'packageManager before lock file',
      { 'package.json': { scripts: { test: 'x' }, packageManager: 'yarn@4.1.0' }, 'pnpm-lock.yaml': '' },
      ['yarn test'],
    ],
    [
      'an unknown packageManager',
      { 'package.json': { scripts: { test: 'x' }, packageManager: 'evil; rm -rf /' }, 'bun.lockb': '' },
      ['bun run test'],
    ],
    [
      "npm init's placeholder",
      { 'package.json': { scripts: { test: 'echo "Error: no test specified" && exit 1' } } },
      [],
    ],
    ['no scripts', { 'package.json': {} }, []],
    ['odd scripts', { 'package.json': { scripts: { test: 3, lint: null, typecheck: ' ' } } }, []],
    ['scripts that are none', { 'package.json': { scripts: 'test' } }, []],
    ['a byte order mark', { 'package.json': '\uFEFF{"scripts":{"test":"x"}}' }, ['npm test']],
    ['pytest.ini', { 'pytest.ini': '' }, ['python3 -m pytest']],
    ['pyproject with pytest', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['python3 -m pytest']],
    ['setup.cfg with pytest', { 'setup.cfg': '[tool:pytest]\n' }, ['python3 -m pytest']],
    ['tox.ini with pytest', { 'tox.ini': '[pytest]\n' }, ['python3 -m pytest']],
    ['pyproject and tests', { 'pyproject.toml': '[project]\n', 'tests/unit/test_a.py': '' }, ['python3 -m pytest']],
    ['setup.py and a test beside it', { 'setup.py': '', 'a_test.py': '' }, ['python3 -m pytest']],
    ['pyproject without tests', { 'pyproject.toml': '[project]\n', 'tests/readme.md': '' }, []],
    ['cargo', { 'Cargo.toml': '' }, ['cargo test']],
    ['go', { 'go.mod': '' }, ['go test ./...']],
    ['make test', { Makefile: 'all: x\n\ntest: all\n\t./t\ncheck:\n' }, ['make test']],
    ['make check', { makefile: '.PHONY: test\ntest := 1\ntests:\ncheck : x\n' }, ['make check']],
    ['a Makefile without either', { Makefile: 'all:\n\techo test: x\n' }, []],
    ['a Makefile beside other tools', { Makefile: 'test:\n', 'go.mod': '' }, ['go test ./...']],
    [
      'several languages',
      { 'package.json': { scripts: { test: 'x' } }, 'Cargo.toml': '', 'pytest.ini': '' },
      ['npm test', 'python3 -m pytest', 'cargo test'],
    ],
  ])('%s', async (_, files, commands) => {
    write(files)
    const { checks, notes } = await discoverChecks(root)
    expect(checks.map(({ run }) => run)).toEqual(commands)
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
    expect(notes).toEqual([])
  })

  it('names checks by what they are', async () => {
    write({ 'package.json': { scripts: { ...scripts, types: 'tsc' } }, 'go.mod': '' })
    expect((await discoverChecks(root)).checks.map(({ name }) => name)).toEqual([
      'typecheck',
      'lint',
      'test',
      'go test',
    ])
  })

  it.each(['{ "scripts": ', '[]', 'null', ''])('ignores a malformed package.json: %j', async (content) => {
    write({ 'package.json': content, Makefile: 'test:\n' })
    expect(await discoverChecks(root)).toEqual({
      checks: [{ name: 'make test', run: 'make test' }],
      notes: ['package.json is not valid JSON, so its scripts were ignored'],
    })
  })

  it('ignores a package.json that is a folder', async () => {
    mkdirSync(join(root, 'package.json'))
    expect(await discoverChecks(root)).toEqual({ checks: [], notes: ['package.json cannot be read'] })
  })

  it('ignores a script that changes files', async () => {
    write({ 'package.json': { scripts: { lint: 'eslint . --fix', test: 'x' } } })
    expect(await discoverChecks(root)).toEqual({
      checks: [{ name: 'test', run: 'npm test' }],
      notes: ['the script "lint" changes files, so it is not a check'],
    })
  })

  it('finds nothing where there is nothing', async () => {
    expect(await discoverChecks(join(root, 'absent'))).toEqual({ checks: [], notes: [] })
  })
})
