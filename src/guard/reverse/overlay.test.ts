import { expect, test } from 'vitest'
import type { ChangedFile, GuardedChange as Change } from '../../model/tamper.ts'
import { proofOverlay, reverseOverlay } from './overlay.ts'
import { alsoRead } from './read-by-checks.ts'

const changeOf = (
  files: Record<string, [before: string | null, after: string | null]>,
  checks: string[] = ['npm test'],
): Change => {
  const all = Object.entries(files).map(([path, [before, after]]): ChangedFile => ({ path, before, after }))
  return { changed: all.filter(({ before, after }) => before !== after).map(({ path }) => path), files: all, checks }
}
const pathsOf = (files: Record<string, [string | null, string | null]>, checks?: string[]): string[] =>
  reverseOverlay(changeOf(files, checks)).paths

test('tests, fixtures and settings are put back; product stays', () => {
  const { paths, touches, touched } = reverseOverlay(
    changeOf({
      'src/a.js': ['1', '2'],
      'test/a.test.js': ['1', '2'],
      'test/new.test.js': [null, '1'],
      'test/fixtures/a.json': ['1', '2'],
      'vitest.config.js': [null, '1'],
    }),
  )
  expect(paths).toEqual(['test/a.test.js', 'test/new.test.js', 'test/fixtures/a.json', 'vitest.config.js'])
  expect(touches).toEqual({
    tests: ['test/a.test.js', 'test/new.test.js'],
    data: ['test/fixtures/a.json'],
    fresh: ['test/new.test.js', 'vitest.config.js'],
    machinery: ['vitest.config.js'],
  })
  expect(touched).toBe(true)
})

test('a change of product alone touches nothing, nor does a new version in a manifest', () => {
  expect(
    reverseOverlay(changeOf({ 'src/a.js': ['1', '2'], 'package.json': ['{"version":"1"}', '{"version":"2"}'] }))
      .touched,
  ).toBe(false)
})

test('a manifest is merged, and put back whole where only its scripts changed', () => {
  const scripts = (test: string, version: string): string => JSON.stringify({ version, scripts: { test } })
  expect(reverseOverlay(changeOf({ 'package.json': [scripts('a', '1'), scripts('b', '2')] })).merged).toEqual([
    { path: 'package.json', content: `${JSON.stringify({ version: '2', scripts: { test: 'a' } }, null, 2)}\n` },
  ])
  const whole = `${JSON.stringify({ version: '1', scripts: { test: 'a' } }, null, 2)}\n`
  expect(pathsOf({ 'package.json': [whole, scripts('b', '1')] })).toEqual(['package.json'])
})

test.each([
  ['a program that a check runs', { 'verify.js': ['1', '2'] }, ['node verify.js']],
  [
    'one that a script runs',
    {
      'package.json': ['{"scripts":{"test":"node verify.mjs"}}', '{"scripts":{"test":"node verify.mjs"}}'],
      'verify.mjs': ['1', '2'],
    },
    ['npm test'],
  ],
  [
    'one that such a program sources',
    { 'verify.sh': ['. "$(dirname "$0")/env.sh"\n', '. "$(dirname "$0")/env.sh"\n'], 'env.sh': ['1', '2'] },
    ['sh verify.sh'],
  ],
  [
    'what asserts for it',
    { 'verify.sh': ['. ./kit.sh\n', '. ./kit.sh\n'], 'kit.sh': ['assert() {\n[ "$1" ]\n}\n', 'x'] },
    ['sh verify.sh'],
  ],
  [
    'what a makefile includes',
    { Makefile: ['include flags.inc\n', 'include flags.inc\n'], 'flags.inc': ['1', '2'] },
    ['make'],
  ],
  [
    'what a runner is asked to load',
    {
      'vitest.config.js': [
        'export default { test: { setupFiles: ["./prepare.js"] } }',
        'export default { test: { setupFiles: ["./prepare.js"] } }',
      ],
      'prepare.js': ['1', '2'],
    },
    ['npx vitest'],
  ],
  ['a plugin that a check names', { 'quiet.py': ['1', '2'] }, ['pytest -p quiet']],
  [
    'a new module in place of an installed one',
    { 'pytest/__init__.py': [null, '1'], 'pytest/more.py': [null, '1'] },
    ['pytest'],
  ],
  ['a file that holds tests', { 'sums.py': ['def test_a():\n    assert 1\n', ''] }, ['pytest sums.py']],
] as [string, Record<string, [string | null, string | null]>, string[]][])('%s is put back', (_what, files, checks) => {
  const changed = Object.entries(files)
    .filter(([, [before, after]]) => before !== after)
    .map(([path]) => path)
  expect(pathsOf(files, checks)).toEqual(changed)
})

test('product that a check runs or sources stays product', () => {
  expect(pathsOf({ 'bin/cli.js': ['1', '2'] }, ['node bin/cli.js --self-test'])).toEqual([])
  expect(pathsOf({ 'verify.sh': ['. ./sum.sh\n', '. ./sum.sh\n'], 'sum.sh': ['1', '2'] }, ['sh verify.sh'])).toEqual([])
})

test('new files that product code imports from a folder of tools are kept', () => {
  expect(pathsOf({ 'src/a.js': ['', "import { b } from '../tools/b.js'"], 'tools/b.js': [null, '1'] })).toEqual([])
  expect(pathsOf({ 'src/a.js': ['', "import { b } from '../tools/b.js'"], 'tools/b.js': ['0', '1'] })).toEqual([
    'tools/b.js',
  ])
})

test('files without a text are known by their paths', () => {
  expect(reverseOverlay({ changed: ['test/a.png', 'logo.png'], files: [], checks: [] }).paths).toEqual(['test/a.png'])
})

test('Rust keeps its code and gets the tests of the base', () => {
  const code = (name: string, body: string): string => `fn ${name}() {}\n\n#[cfg(test)]\nmod tests { ${body} }\n`
  const change = changeOf({ 'src/lib.rs': [code('a', '1'), code('b', '2')] })
  expect(reverseOverlay(change).merged).toEqual([{ path: 'src/lib.rs', content: code('b', '1') }])
  expect(reverseOverlay(change).touches.tests).toEqual(['src/lib.rs'])
  expect(proofOverlay(change).merged).toEqual([{ path: 'src/lib.rs', content: code('a', '2') }])
})

test('proof of new tests takes all that is not product', () => {
  const change = changeOf({ 'src/a.js': ['1', '2'], 'test/a.test.js': [null, '2'], 'test/data.json': [null, '2'] })
  expect(proofOverlay(change).paths).toEqual(['test/a.test.js', 'test/data.json'])
})

test('programs of checks are asked for where their text is not known', () => {
  expect(alsoRead([], ['sh ci.sh', 'npm test'])).toEqual(['ci.sh'])
  expect(alsoRead([{ path: 'ci.sh', before: '', after: '' }], ['sh ci.sh'])).toEqual([])
})

test.each([
  ['a new file of tests', { 'a_test.go': [null, 'package a\nfunc TestA(t *testing.T) { t.Fatal() }\n'] }, false],
  ['a new fixture', { 'test/data.json': [null, '{}'] }, false],
  ['a new TestMain', { 'main_test.go': [null, 'func TestMain(m *testing.M) {\n}\n'] }, true],
  ['a new test that ends the process', { 'test/z.test.js': [null, "test('z', () => { process.exit(0) })\n"] }, true],
  ['a new package of tests', { 'tests/__init__.py': [null, 'import unittest\n'] }, true],
  ['a changed test', { 'test/a.test.js': ['1', '2'] }, true],
  ['a changed fixture', { 'test/data.json': ['1', '2'] }, true],
  ['a new setting', { '.npmrc': [null, 'script-shell=/bin/true'] }, true],
  ['product alone', { 'src/a.js': ['1', '2'] }, false],
] as [string, Record<string, [string | null, string | null]>, boolean][])(
  "whether the base's versions can say more: %s",
  (_what, files, mayRevealMore) => {
    expect(reverseOverlay(changeOf(files)).mayRevealMore).toBe(mayRevealMore)
  },
)

test('scripts that are sourced are asked for, and what they source', () => {
  const sourcing = { path: 'ci.sh', before: '. ./one.sh\n', after: '. ./one.sh\n' }
  expect(alsoRead([sourcing], ['sh ci.sh'])).toEqual(['one.sh'])
  const makefile = { path: 'Makefile', before: 'include rules\n', after: 'include rules\n' }
  expect(alsoRead([makefile], ['make'])).toContain('rules')
})

type Sides = Record<string, [string | null, string | null]>
const same = (text: string): [string, string] => [text, text]

test.each([
  [
    'an assertion helper in a product folder',
    ['lib/verify.mjs'],
    {
      'lib/add.mjs': ['export const add = (a, b) => a + b\n', 'export const add = (a, b) => a - b\n'],
      'lib/verify.mjs': ["import assert from 'node:assert'\nexport const same = (a, b) => assert.equal(a, b)\n", '1'],
      'test/add.test.mjs': same("import { same } from '../lib/verify.mjs'\nimport { add } from '../lib/add.mjs'\n"),
    },
  ],
  [
    'one of Python',
    ['util/verify.py'],
    {
      'sums.py': ['def add(a, b):\n    return a + b\n', 'def add(a, b):\n    return a - b\n'],
      'util/verify.py': ['def same(a, b):\n    assert a == b\n', '1'],
      'tests/test_add.py': same('from sums import add\nfrom util.verify import same\n'),
    },
  ],
  [
    'one of a shell',
    ['lib/assert.sh'],
    {
      'lib/add.sh': ['add() { echo $(($1 + $2)); }\n', 'add() { echo 0; }\n'],
      'lib/assert.sh': ['assert_eq() { [ "$1" = "$2" ] || exit 1; }\n', ':'],
      'test/add.sh': same('. ./lib/assert.sh\n. ./lib/add.sh\n'),
    },
  ],
  [
    'an expected value in a folder that a test reads',
    ['samples/1.out'],
    {
      'samples/1.out': ['3\n', '-1\n'],
      'test/a.test.mjs': same("for (const f of fs.readdirSync('samples')) run(f)\n"),
    },
  ],
  [
    'a table that a test names',
    ['data/table.json'],
    { 'data/table.json': ['1', '2'], 'tests/test_a.py': same('json.load(open("data/table.json"))\n') },
  ],
] as [string, string[], Sides][])('%s is put back', (_what, paths, files) => {
  expect(pathsOf(files)).toEqual(paths)
})

test.each([
  [
    'an assertion helper that product imports',
    {
      'lib/verify.mjs': ["import assert from 'node:assert'\nexport const same = (a, b) => assert.equal(a, b)\n", '1'],
      'lib/add.mjs': same("import { same } from './verify.mjs'\n"),
      'test/add.test.mjs': same("import { same } from '../lib/verify.mjs'\n"),
    },
  ],
  [
    'code that tests import and that asserts little',
    {
      'lib/add.mjs': ['if (a) assert(a)\nconst b = 1\nconst c = 2\nexport { a }\n', '1'],
      'test/add.test.mjs': same("import { a } from '../lib/add.mjs'\n"),
    },
  ],
  [
    'data that product reads as well',
    {
      'data/table.json': ['1', '2'],
      'lib/add.mjs': same("readFileSync('data/table.json')\n"),
      'test/add.test.mjs': same("readFileSync('data/table.json')\n"),
    },
  ],
  ['a document that a test names', { 'README.md': ['1', '2'], 'test/a.test.mjs': same("read('README.md')\n") }],
  ['new data', { 'data/table.json': [null, '2'], 'test/a.test.mjs': same("read('data/table.json')\n") }],
] as [string, Sides][])('%s stays product', (_what, files) => {
  expect(pathsOf(files)).toEqual([])
})

test.each([
  ['a list that a program of a check reads', 'suite.json', 'node run.mjs', { 'run.mjs': "read('suite.json')\n" }],
  ['a list that a makefile reads', 'suites.txt', 'make test', { Makefile: 'test:\n\t@cat suites.txt\n' }],
  ['a document that a check runs', 'README.md', 'python3 -m doctest README.md', {}],
  ['an example that a check compares', 'examples/1.out', 'sh run.sh', { 'run.sh': 'for f in examples/*.in; do :\n' }],
] as [string, string, string, Record<string, string>][])('%s is put back', (_what, path, check, beside) => {
  const unchanged = Object.entries(beside).map(([name, text]): [string, [string, string]] => [name, [text, text]])
  expect(reverseOverlay(changeOf({ [path]: ['1', '2'], ...Object.fromEntries(unchanged) }, [check])).touches).toEqual({
    tests: [],
    data: [path],
    machinery: [],
  })
})

test.each([
  ['pytest.ini', '[pytest]\naddopts = -p plug\n'],
  ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = ["-ra", "-p", "plug"]\n'],
  ['setup.cfg', '[tool:pytest]\naddopts = -p plug\n'],
  ['tox.ini', '[pytest]\naddopts =\n    -ra\n    -p plug\n'],
  ['conftest.py', 'pytest_plugins = ["plug"]\n'],
])('a plugin of pytest that %s names is put back', (path, text) => {
  expect(pathsOf({ [path]: same(text), 'plug.py': ['1', '2'] }, ['pytest'])).toEqual(['plug.py'])
})

test.each([
  ['by its ending', { 'src/add.ts': ['1', '2'], 'src/add.js': [null, '1'] }, ['src/add.js']],
  ['as a folder', { 'src/add.js': ['1', '2'], 'src/add/index.js': [null, '1'] }, ['src/add/index.js']],
  ['as a package', { 'sums.py': ['1', '2'], 'sums/__init__.py': [null, '1'] }, ['sums/__init__.py']],
  ['but not what it imports', { 'src/a.js': ['1', "export * from './a/index.js'"], 'src/a/index.js': [null, '1'] }, []],
  ['but not in place of a removed one', { 'src/a.js': ['1', null], 'src/a.ts': [null, '1'] }, []],
  ['but not declarations', { 'src/a.js': ['1', '2'], 'src/a.d.ts': [null, '1'] }, []],
] as [string, Sides, string[]][])('a new file in place of a changed one is taken away: %s', (_what, files, paths) => {
  expect(pathsOf(files)).toEqual(paths)
})
