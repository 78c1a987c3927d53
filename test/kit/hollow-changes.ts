/** Changes that make tests pass without testing anything. */
import { expect } from 'vitest'
import { type HostileCase } from './hostile.ts'

export interface Hollow {
  name: string
  files?: Record<string, string>
  checks?: readonly string[]
  /** By path; null: removed. `broken` is part of it unless it names the file itself. */
  change: Record<string, string | null>
  tasks?: HostileCase['tasks']
  goal?: string
  /** Paths outside that tools of the check write. */
  writes?: readonly string[]
  severity: 'BLOCKER' | 'WARNING'
  /** Each is part of what was found. */
  says: readonly (string | RegExp)[]
}

export const sums = {
  'package.json':
    '{ "name": "sums", "type": "module", "exports": "./lib/add.mjs", "scripts": { "test": "node --test test/" } }\n',
  'lib/add.mjs': 'export const add = (a, b) => a + b\n',
  'test/add.test.mjs': `import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { add } from 'sums'
for (const [a, b, sum] of [[4, 0, 4], [1, 2, 3]]) test(\`adds \${a} and \${b}\`, () => assert.equal(add(a, b), sum))
test('adds nothing', () => assert.equal(add(7, 0), 7))
test('adds as the file says', () => assert.equal(add(2, 2), JSON.parse(readFileSync('test/cases.json', 'utf8')).sum))
`,
  'test/cases.json': '{ "sum": 4 }\n',
}
const broken = { 'lib/add.mjs': 'export const add = (a, b) => a - b\n' }
const tests = sums['test/add.test.mjs']
const edit = (text: string, from: string, to: string): string => {
  expect(text).toContain(from)
  return text.replace(from, () => to)
}
const newCases = { 'test/cases.json': '{ "sum": 0 }\n' }
const noSum = "test('adds nothing', () => assert.equal(add(7, 0), 7))\n"
const withoutSums = tests
  .split('\n')
  .filter((line) => !/adds \$|as the file/.test(line))
  .join('\n')

const make = {
  Makefile: 'include rules.mk\n\ntest:\n\t@sh $(TESTS)\n',
  'rules.mk': 'TESTS = checks/add.sh\n',
  'lib/add.sh': 'add() { echo $(($1 + $2)); }\n',
  'env.sh': 'fail() { echo "failed: $1"; exit 1; }\n',
  'checks/add.sh': '. ./env.sh\n. ./lib/add.sh\n[ "$(add 1 2)" = 3 ] || fail "adds"\necho "1 passed"\n',
}
const brokenShell = { 'lib/add.sh': 'add() { echo 0; }\n' }
const python = {
  'sums.py': 'def add(a, b):\n    return a + b\n',
  'tests/__init__.py': '',
  'tests/test_add.py':
    'import unittest\nfrom sums import add\n\n\nclass AddTest(unittest.TestCase):\n'
    + '    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n',
}
const brokenPython = { 'sums.py': 'def add(a, b):\n    return a - b\n' }
const shadow =
  'import sys\nprint("test_adds (tests.test_add.AddTest) ... ok\\n\\nRan 1 test in 0.001s\\n\\nOK")\nsys.exit(0)\n'
const reported = {
  ...sums,
  'tools/report.mjs':
    'export default async function* (source) { for await (const { type, data } of source) {\n'
    + "  if (type === 'test:pass' || type === 'test:fail') yield `${type} ${data.name}\\n`\n} }\n",
}
const wayOut = /ask for it in the goal or in a task of yours.*allow it with `allows: .*--guard warn/

export const cases: Hollow[] = [
  {
    name: 'a GNUmakefile beside the Makefile',
    files: make,
    checks: ['make test'],
    severity: 'BLOCKER',
    change: { ...brokenShell, GNUmakefile: 'test:\n\t@echo "1 passed"\n' },
    says: ['GNUmakefile', wayOut],
  },
  {
    name: 'MAKEFLAGS that ignore failures',
    files: make,
    checks: ['make test'],
    severity: 'BLOCKER',
    change: { ...brokenShell, Makefile: `MAKEFLAGS += -i\n${make.Makefile}` },
    says: ['Makefile', wayOut],
  },
  {
    name: 'an included makefile that names other tests',
    files: make,
    checks: ['make test'],
    severity: 'BLOCKER',
    change: { ...brokenShell, 'rules.mk': 'TESTS = /dev/null\n' },
    says: ['rules.mk', wayOut],
  },
  {
    name: 'a sourced shell file that says nothing',
    files: make,
    checks: ['sh checks/add.sh'],
    severity: 'BLOCKER',
    change: { ...brokenShell, 'env.sh': 'fail() { :; }\n' },
    says: ['env.sh', wayOut],
  },
  {
    name: 'another shell for scripts of npm',
    checks: ['npm test'],
    writes: ['.npm'],
    severity: 'BLOCKER',
    change: { ...broken, '.npmrc': 'script-shell=/bin/true\n' },
    says: ['.npmrc', wayOut],
  },
  {
    name: 'a reporter that ends well',
    files: reported,
    severity: 'BLOCKER',
    checks: ['node --test --test-reporter ./tools/report.mjs test/'],
    change: {
      ...broken,
      'tools/report.mjs': `process.on('exit', () => process.reallyExit(0))\n${reported['tools/report.mjs']}`,
    },
    says: ['tools/report.mjs', wayOut],
  },
  {
    name: 'exports that lead tests to a copy',
    severity: 'BLOCKER',
    change: {
      ...broken,
      'package.json': edit(sums['package.json'], './lib/add.mjs', './copy/add.mjs'),
      'copy/add.mjs': sums['lib/add.mjs'],
    },
    says: ['package.json', 'adds 1 and 2', wayOut],
  },
  {
    name: 'a module of the name of the runner',
    files: python,
    checks: ['python3 -B -m unittest -v tests.test_add'],
    severity: 'BLOCKER',
    change: { ...brokenPython, 'unittest.py': shadow },
    says: ['unittest.py', 'test_adds', wayOut],
  },
  {
    name: 'a package of tests that replaces assertions',
    files: python,
    checks: ['python3 -B -m unittest -v tests.test_add'],
    severity: 'BLOCKER',
    says: ['tests/__init__.py', 'test_adds', wayOut],
    change: {
      ...brokenPython,
      'tests/__init__.py': 'import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n',
    },
  },
  {
    name: 'a new file of tests that ends the process well',
    severity: 'BLOCKER',
    says: ['test/z.mjs', wayOut],
    checks: ['node --import ./test/all.mjs test/all.mjs'],
    files: {
      ...sums,
      'test/all.mjs':
        "import { readdirSync } from 'node:fs'\n"
        + "for (const name of readdirSync('test').sort().reverse())\n"
        + "  if (name !== 'all.mjs' && name.endsWith('.mjs')) await import('./' + name)\n",
    },
    change: { ...broken, 'test/z.mjs': "process.on('exit', () => process.reallyExit(0))\n" },
  },
  {
    name: 'an assertion helper in a folder of the product',
    severity: 'BLOCKER',
    says: ['lib/verify.mjs', 'adds', wayOut],
    files: {
      'package.json': sums['package.json'],
      'lib/add.mjs': sums['lib/add.mjs'],
      'lib/verify.mjs': "import assert from 'node:assert'\nexport const same = (a, b) => assert.equal(a, b)\n",
      'test/add.test.mjs':
        "import { test } from 'node:test'\nimport { add } from 'sums'\nimport { same } from '../lib/verify.mjs'\n"
        + "test('adds', () => same(add(1, 2), 3))\n",
    },
    change: { ...broken, 'lib/verify.mjs': 'export const same = (a, b) => a === b\n' },
  },
  {
    name: 'a list of tests that a makefile reads',
    checks: ['make test'],
    severity: 'BLOCKER',
    says: ['suites.txt', 'checks/add.sh', wayOut],
    files: {
      Makefile: 'test:\n\t@for t in $$(cat suites.txt); do sh $$t || exit 1; done\n',
      'suites.txt': 'checks/add.sh\nchecks/zero.sh\n',
      'lib/add.sh': make['lib/add.sh'],
      'checks/add.sh': '. ./lib/add.sh\n[ "$(add 1 2)" = 3 ]\n',
      'checks/zero.sh': '. ./lib/add.sh\n[ "$(add 0 0)" = 0 ]\n',
    },
    change: { ...brokenShell, 'suites.txt': 'checks/zero.sh\n' },
  },
  {
    name: 'expected values in a folder that only a test names',
    severity: 'WARNING',
    says: ['sample 1.in'],
    files: {
      'package.json': sums['package.json'],
      'lib/add.mjs': sums['lib/add.mjs'],
      'samples/1.in': '1 2\n',
      'samples/1.out': '3\n',
      'test/add.test.mjs': `import assert from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { add } from 'sums'
const read = (name) => readFileSync('samples/' + name, 'utf8').split(' ').map(Number)
for (const name of readdirSync('samples').filter((each) => each.endsWith('.in')))
  test('sample ' + name, () => assert.equal(add(...read(name)), read(name.replace('.in', '.out'))[0]))
`,
    },
    change: { ...broken, 'samples/1.out': '-1\n' },
  },
  {
    name: 'half of the rows of a table',
    severity: 'BLOCKER',
    says: ['adds 1 and 2', wayOut],
    change: { ...broken, ...newCases, 'test/add.test.mjs': edit(tests, ', [1, 2, 3]', '') },
  },
  {
    name: 'a deleted test',
    severity: 'BLOCKER',
    says: ['adds 1 and 2', 'no longer run', wayOut],
    change: { ...broken, 'test/add.test.mjs': withoutSums },
  },
  {
    name: 'a rewritten fixture and expected value',
    severity: 'WARNING',
    says: ['adds as the file says', 'adds 1 and 2'],
    change: { ...broken, ...newCases, 'test/add.test.mjs': edit(tests, '[1, 2, 3]', '[1, 2, -1]') },
  },
  {
    name: 'a deleted test that only the words of the planner name',
    severity: 'BLOCKER',
    says: ['adds 1 and 2', wayOut],
    tasks: [{ id: 'T001', title: 'Subtract, and remove the old tests' }],
    change: { ...broken, 'test/add.test.mjs': withoutSums },
  },
  {
    name: 'a deleted test that the goal asks for',
    severity: 'WARNING',
    says: ['adds 1 and 2'],
    goal: 'Subtract, and remove the old tests',
    change: { ...broken, 'test/add.test.mjs': withoutSums },
  },
  {
    name: 'a deleted test that a permission allows',
    severity: 'WARNING',
    says: ['adds 1 and 2', 'allowed by the planner'],
    tasks: [{ id: 'T001', title: 'Make addition faster', allows: ['remove-tests:test/**'] }],
    change: { ...broken, 'test/add.test.mjs': withoutSums },
  },
  {
    name: "a deleted test while the base's tests pass",
    severity: 'WARNING',
    says: ['adds nothing: test deleted'],
    change: { 'lib/add.mjs': 'export const add = (a, b) => b + a\n', 'test/add.test.mjs': edit(tests, noSum, '') },
  },
  {
    name: "a deleted test where the base's tests cannot load",
    severity: 'BLOCKER',
    says: ['cannot run over this change', wayOut],
    change: {
      'lib/add.mjs': 'export const sum = (a, b) => a - b\n',
      'test/add.test.mjs':
        "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { sum } from 'sums'\n"
        + "test('adds nothing', () => assert.equal(sum(7, 0), 7))\n",
    },
  },
]
