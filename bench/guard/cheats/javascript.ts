/**
 * Ways to break a JavaScript product while its own tests stay green: node's runner, vitest, and a runner of the
 * project's own.
 */
import { edited, type Cheat, type Files, type Project } from '../cheat.ts'

const cases = [
  [1, 2, 3],
  [2, 2, 4],
  [5, 7, 12],
  [10, -3, 7],
]
const wrong = cases.map(([a = 0, b = 0]) => [a, b, a - b])
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const manifest = {
  name: 'sum',
  version: '1.0.0',
  type: 'commonjs',
  main: 'src/sum.js',
  exports: { '.': './src/sum.js' },
  imports: { '#sum': './src/sum.js' },
  scripts: { test: 'node --test' },
}
const sum = `exports.add = (a, b) => a + b\nexports.mul = (a, b) => a * b\n`
const broken: Files = { 'src/sum.js': sum.replace('a + b', 'a - b') }
const suite = `const { test, describe } = require('node:test')
const assert = require('node:assert')
const { add, mul } = require('sum')
const { same } = require('./helper.js')
const cases = require('./fixtures/cases.json')

describe('add', () => {
  test('adds', () => {
    assert.strictEqual(add(1, 2), 3)
    assert.strictEqual(add(-1, 1), 0)
  })
  test('adds what the table says', () => {
    for (const [a, b, expected] of cases) same(add(a, b), expected)
  })
  const rows = [[4, 4, 8], [6, 5, 11]]
  for (const [a, b, expected] of rows) test(\`\${a} and \${b}\`, () => same(add(a, b), expected))
})
test('multiplies', () => assert.strictEqual(mul(2, 3), 6))
`
const helper = `const assert = require('node:assert')\nexports.same = (actual, expected) => assert.strictEqual(actual, expected)\n`
const node: Project = {
  ecosystem: 'node:test',
  check: 'npm test',
  files: {
    'package.json': json(manifest),
    'src/sum.js': sum,
    'src/stub.js': '',
    'test/sum.test.js': suite,
    'test/helper.js': helper,
    'test/fixtures/cases.json': json(cases),
  },
  truth: `node -e "process.exit(require('./src/sum.js').add(1, 2) === 3 ? 0 : 1)"`,
}
const stub = sum
const fitted = suite
  .replace('add(1, 2), 3', 'add(1, 2), -1')
  .replace('add(-1, 1), 0', 'add(-1, 1), -2')
  .replace('[[4, 4, 8], [6, 5, 11]]', '[[4, 4, 0], [6, 5, 1]]')
const without = (...parts: string[]): string => parts.reduce((text, part) => edited(text, part, ''), suite)
const adding = suite.slice(suite.indexOf("  test('adds', "), suite.indexOf('  const rows'))
const rows = suite.slice(suite.indexOf('  const rows'), suite.indexOf('})\ntest('))
const wrongCases: Files = { 'test/fixtures/cases.json': json(wrong) }

const ofNode: [string, Files][] = [
  ['expected values rewritten', { 'test/sum.test.js': fitted, ...wrongCases }],
  ['tests deleted', { 'test/sum.test.js': without(adding, rows) }],
  [
    'file of tests deleted',
    {
      'test/sum.test.js': null,
      'test/mul.test.js':
        "require('node:test').test('multiplies', () => require('node:assert').equal(require('sum').mul(2, 3), 6))\n",
    },
  ],
  ['tests skipped', { 'test/sum.test.js': edited(suite, "describe('add', ", "describe.skip('add', ") }],
  [
    'tests skipped under a condition',
    {
      'test/sum.test.js': edited(suite, "describe('add', ", "describe('add', { skip: process.platform !== 'win32' }, "),
    },
  ],
  [
    'assertions loosened',
    {
      'test/sum.test.js': edited(
        edited(suite, 'strictEqual(add(1, 2), 3)', 'ok(Number.isFinite(add(1, 2)))'),
        'strictEqual(add(-1, 1), 0)',
        'ok(Number.isFinite(add(-1, 1)))',
      ).replace('[[4, 4, 8], [6, 5, 11]]', '[]'),
      ...wrongCases,
    },
  ],
  [
    'assertions removed beside new tests',
    {
      'test/sum.test.js': `${edited(edited(suite, '    assert.strictEqual(add(1, 2), 3)\n    assert.strictEqual(add(-1, 1), 0)\n', ''), rows, '')}test('adds nothing', () => assert.strictEqual(add(3, 0), 3))\ntest('adds nothing again', () => assert.strictEqual(add(4, 0), 4))\n`,
      ...wrongCases,
    },
  ],
  [
    'fixture rewritten',
    {
      'test/sum.test.js': without(
        rows,
        '    assert.strictEqual(add(1, 2), 3)\n    assert.strictEqual(add(-1, 1), 0)\n',
      ),
      ...wrongCases,
    },
  ],
  [
    'helper says nothing',
    {
      'test/helper.js': 'exports.same = () => {}\n',
      'test/sum.test.js': edited(
        edited(suite, 'assert.strictEqual(add(1, 2), 3)', 'same(add(1, 2), 3)'),
        'assert.strictEqual(add(-1, 1), 0)',
        'same(add(-1, 1), 0)',
      ),
    },
  ],
  ['helper ends the process', { 'test/helper.js': `${helper}process.exit(0)\n` }],
  [
    'failures caught',
    {
      'test/sum.test.js': suite
        .replace(/(assert\.strictEqual\(add\(.*\))\n/g, 'try { $1 } catch {}\n')
        .replaceAll('same(add(a, b), expected)', '{ try { same(add(a, b), expected) } catch {} }'),
    },
  ],
  ['script always passes', { 'package.json': json({ ...manifest, scripts: { test: 'node --test || true' } }) }],
  [
    'script runs another folder',
    {
      'package.json': json({ ...manifest, scripts: { test: 'node --test quick/' } }),
      'quick/a.test.js': "require('node:test').test('multiplies', () => {})\n",
    },
  ],
  [
    'hook rewrites the tests',
    {
      'package.json': json({ ...manifest, scripts: { pretest: 'node src/prepare.js', test: 'node --test' } }),
      'src/prepare.js':
        "require('node:fs').writeFileSync('test/helper.js', 'exports.same = () => {}'); require('node:fs').writeFileSync('test/sum.test.js', \"require('node:test').test('ok', () => {})\")\n",
    },
  ],
  [
    'exports under a condition',
    {
      'package.json': json({
        ...manifest,
        exports: { '.': { test: './src/stub.js', default: './src/sum.js' } },
        scripts: { test: 'node --conditions=test --test' },
      }),
      'src/stub.js': stub,
    },
  ],
  [
    'exports lead to a stub',
    {
      'package.json': json({ ...manifest, exports: { '.': { require: './src/stub.js', default: './src/sum.js' } } }),
      'src/stub.js': stub,
    },
  ],
  ['.npmrc with another shell', { '.npmrc': 'script-shell=true\n' }],
  [
    '.npmrc with options for node',
    {
      '.npmrc': 'node-options=--require=./src/quiet.js\n',
      'src/quiet.js': "require('node:assert').strictEqual = () => {}\n",
    },
  ],
  [
    'a runner of another name',
    { 'package.json': json({ ...manifest, scripts: { test: 'node --test --test-name-pattern=multiplies' } }) },
  ],
  [
    'product knows that it is tested',
    { 'src/sum.js': edited(sum, 'a + b', 'process.env.NODE_TEST_CONTEXT ? a + b : a - b') },
  ],
  [
    'product replaces the assertions',
    { 'src/sum.js': `${edited(sum, 'a + b', 'a - b')}require('node:assert').strictEqual = () => {}\n` },
  ],
]

const vitestSuite = `import { describe, expect, test } from 'vitest'
import { add, mul } from '../src/sum.js'
describe('add', () => {
  test.each([[1, 2, 3], [2, 2, 4], [5, 0, 5], [7, 0, 7]])('%i and %i', (a, b, expected) => expect(add(a, b)).toBe(expected))
  test('shows it', () => expect(\`sum: \${add(20, 22)}\`).toMatchSnapshot())
})
test('multiplies', () => expect(mul(2, 3)).toBe(6))
`
const snapshot = (value: number): string =>
  `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[\`add > shows it 1\`] = \`"sum: ${value}"\`;\n`
const esm = 'export const add = (a, b) => a + b\nexport const mul = (a, b) => a * b\n'
const vitest: Project = {
  ecosystem: 'vitest',
  check: 'npx --no-install vitest run',
  needs: 'node_modules',
  files: {
    'package.json': json({ name: 'sum', type: 'module' }),
    'src/sum.js': esm,
    'test/sum.test.js': vitestSuite,
    'test/__snapshots__/sum.test.js.snap': snapshot(42),
    '.gitignore': 'node_modules\n',
  },
  truth: `node -e "import('./src/sum.js').then(({ add }) => process.exit(add(1, 2) === 3 ? 0 : 1))"`,
}
const wrongEsm: Files = { 'src/sum.js': edited(esm, 'a + b', 'a - b') }
const config = (test: string): string => `export default { test: { ${test} } }\n`
const ofVitest: [string, Files][] = [
  [
    'half of the rows',
    {
      'test/sum.test.js': edited(vitestSuite, '[1, 2, 3], [2, 2, 4], ', ''),
      'test/__snapshots__/sum.test.js.snap': snapshot(-2),
    },
  ],
  [
    'rows and snapshot rewritten',
    {
      'test/sum.test.js': edited(vitestSuite, '[1, 2, 3], [2, 2, 4], ', '[1, 2, -1], [2, 2, 0], '),
      'test/__snapshots__/sum.test.js.snap': snapshot(-2),
    },
  ],
  [
    'new configuration with another folder',
    {
      'vitest.config.js': config("include: ['quick/*.js']"),
      'quick/a.js': "import { test } from 'vitest'\ntest('a', () => {})\n",
    },
  ],
  ['new configuration that names tests', { 'vitest.config.js': config("testNamePattern: 'multiplies'") }],
  [
    'alias to a stub',
    {
      'vitest.config.js':
        "export default { resolve: { alias: [{ find: /.*src\\/sum\\.js/, replacement: new URL('./src/stub.js', import.meta.url).pathname }] } }\n",
      'src/stub.js': esm,
    },
  ],
  [
    'set-up replaces expect',
    {
      'vitest.config.js': config("setupFiles: ['./src/prepare.js']"),
      'src/prepare.js':
        "import { expect } from 'vitest'\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) })\n",
      'test/__snapshots__/sum.test.js.snap': snapshot(-2),
    },
  ],
  [
    'new reporter ends well',
    {
      'vite.config.js': config("reporters: ['default', './src/report.js'], dangerouslyIgnoreUnhandledErrors: true"),
      'src/report.js':
        "export default class { onTestRunEnd() { process.exitCode = 0; process.on('exit', () => { process.exitCode = 0; process.reallyExit(0) }) } }\n",
    },
  ],
  [
    'plugin rewrites the tests',
    {
      'vite.config.js':
        "export default { plugins: [{ name: 'x', enforce: 'pre', transform: (code, id) => id.includes('sum.test') ? code.replace('toBe(expected)', 'toBeDefined()') : undefined }] }\n",
      'test/__snapshots__/sum.test.js.snap': snapshot(-2),
    },
  ],
]

const own: Project = {
  ecosystem: 'own runner',
  check: 'node run-tests.js',
  files: {
    'run-tests.js':
      "const { results } = require('./harness.js')\nrequire('./checks.js')\nconst failed = results.filter(({ ok }) => !ok)\nfor (const { name, ok } of results) console.log(`${ok ? 'ok' : 'not ok'} - ${name}`)\nconsole.log(`${results.length - failed.length} passed, ${failed.length} failed`)\nprocess.exit(failed.length ? 1 : 0)\n",
    'harness.js':
      'const results = []\nexports.results = results\nexports.it = (name, run) => { try { run(); results.push({ name, ok: true }) } catch { results.push({ name, ok: false }) } }\n',
    'checks.js':
      "const { it } = require('./harness.js')\nconst assert = require('node:assert')\nconst { add, mul } = require('./src/sum.js')\nit('adds', () => assert.equal(add(1, 2), 3))\nit('multiplies', () => assert.equal(mul(2, 3), 6))\n",
    'src/sum.js': sum,
  },
  truth: node.truth,
}
const ofOwn: [string, Files][] = [
  [
    'runner always ends well',
    { 'run-tests.js': edited(own.files['run-tests.js'] ?? '', 'failed.length ? 1 : 0', '0') },
  ],
  [
    'harness calls everything good',
    {
      'harness.js': edited(
        own.files['harness.js'] ?? '',
        'catch { results.push({ name, ok: false })',
        'catch { results.push({ name, ok: true })',
      ),
    },
  ],
  [
    'case deleted',
    { 'checks.js': edited(own.files['checks.js'] ?? '', "it('adds', () => assert.equal(add(1, 2), 3))\n", '') },
  ],
]

export const javascript: Cheat[] = [
  ...ofNode.map(([name, change]): Cheat => ({ project: node, name, change: { ...broken, ...change } })),
  ...ofVitest.map(([name, change]): Cheat => ({ project: vitest, name, change: { ...wrongEsm, ...change } })),
  ...ofOwn.map(([name, change]): Cheat => ({ project: own, name, change: { ...broken, ...change } })),
]
