/** Programs that a configured check runs, and Looper's own settings: which changes are findings. */
import { describe, expect, test } from 'vitest'
import type { ChangedFile } from '../../model/tamper.ts'
import { guard } from '../guard.ts'
import { executedBy } from './executed.ts'

const sh = '#!/bin/sh\nset -e\nnode --test\ngrep -q reduce sum.mjs\n'
const mjs =
  "import { execSync } from 'node:child_process'\nconst fail = problems().length > 0\nexecSync('node --test')\nprocess.exit(fail ? 1 : 0)\n"
const py = 'import sys\nif problems():\n    sys.exit(1)\n'
const manifest = (test: string): string => JSON.stringify({ scripts: { test } })
const same = (path: string, text: string): ChangedFile => ({ path, before: text, after: text })

type Case = [what: string, check: string, path: string, before: string, after: string | null, beside?: ChangedFile]

const gutted: Case[] = [
  ['a step gone', 'sh check.sh', 'check.sh', sh, sh.replace('grep -q reduce sum.mjs\n', '')],
  ['a step commented out', 'sh check.sh', 'check.sh', sh, sh.replace('grep', '# grep')],
  ['set -e gone', './check.sh', 'check.sh', sh, sh.replace('set -e\n', '')],
  ['exit 0 before it', 'bash ./check.sh', 'check.sh', sh, sh.replace('set -e\n', 'set -e\nexit 0\n')],
  ['|| true', 'sh -e check.sh', 'check.sh', sh, sh.replace('node --test', 'node --test || true')],
  ['a pipe', 'sh check.sh', 'check.sh', sh, sh.replace('node --test', 'node --test | cat')],
  ['in the background', 'sh check.sh', 'check.sh', sh, sh.replace('node --test', 'node --test &')],
  [
    'as text',
    'sh check.sh',
    'check.sh',
    sh,
    sh.replace('node --test\n', "cat > /dev/null <<'END'\nnode --test\n").concat('END\n'),
  ],
  ['exit 1 is exit 0', 'sh check.sh', 'check.sh', 'if x; then exit 1; fi\n', 'if x; then exit 0; fi\n'],
  ['the file gone', 'test ! -e check.sh || sh check.sh', 'check.sh', sh, null],
  ['a program that only succeeds', 'node check.mjs', 'check.mjs', mjs, 'process.exit(0)\n'],
  ['a program that succeeds first', 'node check.mjs', 'check.mjs', mjs, mjs.replace('const', 'process.exit(0)\nconst')],
  ['another condition', 'node check.mjs', 'check.mjs', mjs, mjs.replace('> 0', '> 99')],
  [
    'a comment around it',
    'node check.mjs',
    'check.mjs',
    mjs,
    mjs.replace("execSync('", "/*\nexecSync('").concat('*/\n'),
  ],
  ['Python', 'python3 tools/check.py --all', 'tools/check.py', py, py.replace('sys.exit(1)', 'pass')],
  [
    'what is loaded before',
    'node --import ./check.mjs app.js',
    'check.mjs',
    mjs,
    mjs.replace("execSync('node --test')\n", ''),
  ],
  ['in a folder', 'cd tools && node check.mjs', 'tools/check.mjs', mjs, mjs.replace("execSync('node --test')\n", '')],
  [
    'called by a script',
    'npm test',
    'check.mjs',
    mjs,
    mjs.replace("execSync('node --test')\n", ''),
    same('package.json', manifest('node check.mjs')),
  ],
  [
    'called by a target',
    'make verify',
    'check.sh',
    sh,
    sh.replace('node --test\n', ''),
    same('Makefile', 'verify:\n\tsh check.sh\n'),
  ],
  ['a target', 'make all-good', 'Makefile', 'all-good:\n\tnode --test\n\t./budget.sh\n', 'all-good:\n\tnode --test\n'],
  ['the first target', 'make', 'Makefile', 'good:\n\t./budget.sh\n\t./size.py\n', 'good:\n\t./size.py\n'],
  [
    'a script',
    'npm run good',
    'package.json',
    JSON.stringify({ scripts: { good: 'node --test && ./budget.sh' } }),
    JSON.stringify({ scripts: { good: 'node --test' } }),
  ],
  [
    'before a script that a script calls',
    'npm run good',
    'package.json',
    JSON.stringify({ scripts: { good: 'npm run size', size: 'node size.mjs' } }),
    JSON.stringify({ scripts: { good: 'npm run size', presize: 'node patch.mjs', size: 'node size.mjs' } }),
  ],
  [
    'a plain program of tests',
    'node test.js',
    'test.js',
    "const assert = require('assert')\nassert.equal(sum(1, 2), 3)\nassert.equal(sum(2, 2), 4)\n",
    "const assert = require('assert')\nassert.equal(sum(1, 2), 3)\n",
  ],
  [
    'the product, where it failed',
    'node src/main.mjs --selftest',
    'src/main.mjs',
    'run()\nif (bad) throw new Error("bad")\n',
    'run()\n',
  ],
]

const honest: Case[] = [
  ['a step more', 'sh check.sh', 'check.sh', sh, `${sh}npm run lint\n`],
  ['a flag more', 'sh check.sh', 'check.sh', sh, sh.replace('node --test', 'node --test --experimental-test-coverage')],
  ['comments and layout', 'sh check.sh', 'check.sh', sh, sh.replace('node', '# All of them.\n  node')],
  ['another message', 'sh check.sh', 'check.sh', `${sh}echo done\n`, `${sh}echo "all is well"\n`],
  ['a check more', 'node check.mjs', 'check.mjs', mjs, mjs.replace('process', "execSync('npm run lint')\nprocess")],
  [
    'a module that moved',
    'node check.mjs',
    'check.mjs',
    `import { problems } from './a.mjs'\n${mjs}`,
    `import { problems } from './lib/a.mjs'\n${mjs}`,
  ],
  ['what it looks at', 'node --check src/app.js', 'src/app.js', 'a()\nb()\n', 'a()\n'],
  ['what it looks for', '! grep -q TODO app.js', 'app.js', 'a()\nb()\n', 'a()\n'],
  ['what it is given', 'node check.mjs app.js', 'app.js', 'a()\nb()\n', 'a()\n'],
  [
    'the product',
    'node src/main.mjs --selftest',
    'src/main.mjs',
    'run(1)\nif (bad) throw new Error("bad")\n',
    'run(2)\nif (bad) throw new Error("bad")\n',
  ],
  [
    'a file of tests',
    'node --test a.test.mjs',
    'a.test.mjs',
    "test('adds', () => { assert.equal(sum(1, 2), 3) })\n",
    "test('adds', () => {\n  assert.equal(sum(1, 2), 3)\n})\n",
  ],
  ['a folder of tests', 'pytest tests/', 'tests/helper.py', 'a = 1\n', 'a = 2\n'],
  ['no check runs it', 'node --test', 'check.sh', 'a\nb\n', 'a\n'],
  [
    'a dependency',
    'npm test',
    'package.json',
    manifest('node check.mjs'),
    JSON.stringify({ scripts: { test: 'node check.mjs' }, dependencies: { a: '1' } }),
  ],
]

describe('programs that checks run (F13)', () => {
  test.each(gutted)('%s: %s', (_what, check, path, before, after, beside) => {
    const { findings } = guard.compare([{ path, before, after }, ...(beside ? [beside] : [])], [check])
    expect(findings.map(({ kind, file }) => [kind, file])).toEqual([['check-changed', path]])
  })
  test.each(honest)('no alarm: %s: %s', (_what, check, path, before, after, beside) => {
    expect(guard.compare([{ path, before, after }, ...(beside ? [beside] : [])], [check]).findings).toEqual([])
  })
  test('which files a command runs', () => {
    expect([
      ...executedBy([
        'A=1 sh -e ./check.sh x.sh && (cd web; node --require ./a.cjs b.js c.js) | tee log',
        'python -m pytest tests',
        'node -e "x.js"',
        'tools/../run',
        'eslint a.js',
      ]),
    ]).toEqual(['check.sh', 'web/a.cjs', 'web/b.js', 'run'])
  })
})

const config = (value: unknown): string => JSON.stringify(value)
const own = '.looper/config.json'

describe('settings of the runs to come (F13)', () => {
  test.each<[string, string | null, string | null]>([
    ['other checks', config({ checks: ['npm test'] }), config({ checks: ['true'] })],
    [
      'fewer checks',
      config({ checks: ['npm test', { name: 'lint', run: 'npm run lint' }] }),
      config({ checks: ['npm test'] }),
    ],
    ['none', config({ checks: ['npm test'] }), null],
    ['the first ones', null, config({ checks: ['true'] })],
    ['twice', config({ checks: ['npm test'] }), '{"checks":["npm test"],"checks":["true"]}'],
    ['by another spelling', config({ checks: ['npm test'] }), '{"checks":["npm test"],"check\\u0073":["true"]}'],
    [
      'later',
      config({ checks: [{ name: 'a', run: 'b' }] }),
      config({ checks: [{ name: 'a', run: 'b', when: 'wave' }] }),
    ],
    ['guard', config({}), config({ guard: 'warn' })],
    ['proof', config({ proof: true }), config({ proof: false })],
    ['baseline', config({}), config({ baseline: 'off' })],
  ])('%s', (_what, before, after) => {
    expect(guard.compare([{ path: own, before, after }]).findings.map(({ kind }) => kind)).toEqual(['check-changed'])
  })
  test.each<[string, string | null, string | null]>([
    [
      'one more',
      config({ checks: ['npm test'] }),
      config({ checks: ['npm test', { name: 'lint', run: 'npm run lint', when: 'wave' }] }),
    ],
    ['an agent', config({ checks: ['npm test'] }), config({ checks: ['npm test'], agent: 'codex' })],
    ['a stricter guard', config({ guard: 'off' }), config({ guard: 'block' })],
    ['layout', '{"checks":["npm test"]}', '{\n  // ours\n  "checks": [ "npm test" ],\n}\n'],
    ['an agent, in a new file', null, config({ agent: 'codex' })],
  ])('no alarm: %s', (_what, before, after) => {
    expect(guard.compare([{ path: own, before, after }]).findings).toEqual([])
  })
})
