/** Harmless changes that look like weakened checks, each beside a change that does weaken them. */
import { expect, test } from 'vitest'
import { guard } from './guard.ts'

type Change = [path: string, before: string, after: string]
const found = ([path, before, after]: Change): string[] =>
  guard.compare([{ path, before, after }], ['npm test']).findings.map(({ detail }) => detail)

const ci = (before: string, after: string): Change => {
  const file = (step: string): string =>
    `on: push\njobs:\n  test:\n    steps:\n      - uses: actions/checkout@v4\n      - run: ${step}\n`
  return ['.github/workflows/ci.yml', file(before), file(after)]
}
const script = (name: string, before: string, after: string): Change => {
  const parts = { 'test:unit': 'vitest run', 'test:lint': 'eslint .', 'docs:build': 'typedoc' }
  const file = (command: string): string => JSON.stringify({ scripts: { [name]: command, ...parts } }, null, 2)
  return ['package.json', file(before), file(after)]
}
const file = (path: string, before: string, after: string): Change => [path, before, after]
const parts = 'npm run test:unit && npm run test:lint'
const plain = "test('adds', () => { expect(1 + 1).toBe(2) })\n"
const skipped = (head: string, call: string): Change => ['a.test.js', plain, head + plain.replace("test('adds'", call)]
const windows = "process.platform === 'win32'"

test.each<[what: string, change: Change]>([
  ['npm ci → npm install', ci('npm ci', 'npm install')],
  ['eslint by folders → all, in CI', ci('npx eslint lib test', 'npx eslint .')],
  ['eslint by folders → all', script('lint', 'eslint lib test', 'eslint .')],
  ['eslint by folders → the one around them', script('lint', 'eslint src/a src/b', 'eslint ./src/')],
  ['pytest by folders → the one around them', script('test', 'pytest tests/a tests/b', 'pytest tests')],
  ['mocha, with the folders below', script('test', 'mocha test/a test/b', 'mocha --recursive test')],
  ['scripts by pattern', script('test', parts, 'pnpm run /^test:/')],
  ['scripts by quoted pattern', script('test', parts, 'pnpm run "/^test:.*/"')],
  ['scripts by pattern, in CI', ci('npm test', 'pnpm run /^test:/')],
  ['a pipe in a value', script('test', 'vitest run', 'VERSION=$(git describe | head -1) vitest run')],
  ['a pipe in an argument', script('test', 'mocha test', 'mocha $(find test | sort)')],
  [
    'a pipe in a variable',
    file('test.sh', '#!/bin/sh\nset -e\nnpm test\n', '#!/bin/sh\nset -e\nv=$(git tag | tail -1)\nnpm test\n'),
  ],
  [
    'a dev server',
    file('vite.config.ts', 'export default {}', "export default { optimizeDeps: { exclude: ['left-pad'] } }"),
  ],
  ['a package', file('Cargo.toml', '[package]\nname = "a"\n', '[package]\nname = "a"\nexclude = ["assets"]\n')],
  ['a wheel', file('pyproject.toml', '[tool.hatch.build]\n', '[tool.hatch.build]\nexclude = ["tests"]\n')],
  ['spelling', file('pyproject.toml', '[tool.codespell]\n', '[tool.codespell]\nignore = "ba"\n')],
  ['documents', file('pyproject.toml', '[tool.ruff]\n', '[tool.ruff]\nexclude = ["docs"]\n')],
  ['Windows, by a variable', skipped(`const isWin = ${windows}\n`, "test('adds', { skip: isWin }")],
  ['Windows, by an option', skipped('', `test('adds', { skip: ${windows} }`)],
  ['Windows, by another name', skipped(`const posix = ${windows} ? test.skip : test\n`, "posix('adds'")],
  ['not Windows', skipped("const posix = process.platform !== 'win32' ? test : test.skip\n", "posix('adds'")],
])('no finding: %s', (_what, change) => expect(found(change)).toEqual([]))

test.each<[what: string, change: Change]>([
  ['npm run ci → npm ci', ci('npm run ci', 'npm ci')],
  ['make ci → npm ci', ci('make ci', 'npm ci')],
  ['one of two folders', script('lint', 'eslint lib test', 'eslint lib')],
  ['a folder beside', script('test', 'pytest tests/a tests/b', 'pytest tests/a2')],
  ['mocha does not look into folders', script('test', 'mocha test/a test/b', 'mocha test')],
  ['scripts by another pattern', script('test', parts, 'pnpm run /^docs:/')],
  ['a pipe behind the check', script('test', 'vitest run', 'vitest run $(echo src) | cat')],
  ['files that are filtered', script('test', 'mocha test', 'mocha $(ls test | grep -v cart)')],
  ['files that are filtered before', script('test', 'mocha test', 'F=$(ls test | grep -v cart) && mocha $F')],
  ['tests', file('vite.config.ts', 'export default {}', "export default { test: { exclude: ['cart.test.ts'] } }")],
  ['a crate', file('Cargo.toml', '[workspace]\nmembers = ["a"]\n', '[workspace]\nmembers = ["a"]\nexclude = ["b"]\n')],
  ['a rule', file('pyproject.toml', '[tool.ruff.lint]\n', '[tool.ruff.lint]\nignore = ["F401"]\n')],
  ['here, by an option', skipped('', "test('adds', { skip: process.platform === 'linux' }")],
  ['here, by another name', skipped("const quiet = process.platform !== 'win32' ? test.skip : test\n", "quiet('adds'")],
  ['here too', skipped(`const quiet = ${windows} ? test : test.skip\n`, "quiet('adds'")],
])('a finding: %s', (_what, change) => expect(found(change)).not.toEqual([]))
