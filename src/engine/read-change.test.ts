import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, temporaryFolder } from '../../test/kit/repository.ts'
import { inspect, ready } from '../../test/kit/steps.ts'
import { guard } from '../guard/guard.ts'
import type { OverlayOutcome, Outcome } from '../model/work.ts'
import { createLocalWorker } from './local-work.ts'

type Files = Record<string, string | Buffer>

/** Overlays the base's tests, fixtures and configuration on a candidate and runs the check on the result. */
async function reverse(
  base: Files,
  change: Files,
  check: string,
): Promise<{ touches: unknown; exitCode: number | null }> {
  const repository = makeRepository({})
  for (const [path, content] of Object.entries(base)) repository.write(path, content)
  repository.commit('Base')
  const { worktrees, base: start, at } = await ready(repository, 'T001')
  for (const [path, content] of Object.entries(change)) at('T001').write(path, content.toString())
  const { tree } = await inspect(worktrees, 'T001', start)
  const outcome = (await new Promise<Outcome>((done) => {
    createLocalWorker({
      trees: worktrees,
      guard: async () => guard,
      checks: () => [check],
      clock: { now: () => 0, at: () => () => {} },
      sync: () => Promise.reject(new Error('none')),
      finish: async () => {},
      onDone: (_, settled) => done(settled),
    }).start({ kind: 'overlay', id: 'T001/a1/reverse0', how: 'reverse', base: start, tree })
  })) as OverlayOutcome
  if (outcome.tree === null) return { touches: null, exitCode: null }
  return { touches: outcome.touches, exitCode: exitOf(check, filesAt(repository.root, outcome.tree)) }
}

function filesAt(root: string, tree: string): string {
  const folder = temporaryFolder()
  execFileSync('tar', ['-x', '-C', folder], { input: execFileSync('git', ['archive', tree], { cwd: root }) })
  return folder
}

function exitOf(check: string, cwd: string): number {
  try {
    execFileSync('sh', ['-c', check], { cwd, stdio: 'pipe' })
    return 0
  } catch (error) {
    return (error as { status: number }).status
  }
}

const broken = { 'lib/add.sh': 'add() { echo 0; }\n' }
const verify = '. ./common.sh\n. ./lib/add.sh\nsame "$(add 1 2)" 3\n'
const project = {
  'lib/add.sh': 'add() { echo $(($1 + $2)); }\n',
  'verify.sh': verify,
  'common.sh': '. ./env.sh\n',
  'env.sh': 'same() { [ "$1" = "$2" ] || exit 1; }\n',
}

test('a file that is sourced by a file that an unchanged script sources is of the base', async () => {
  const found = await reverse(project, { ...broken, 'env.sh': 'same() { :; }\n' }, 'sh verify.sh')
  expect(found).toEqual({ touches: { tests: [], data: [], machinery: ['env.sh'] }, exitCode: 1 })
})

test('a file that an unchanged makefile includes is of the base', async () => {
  const files = {
    ...project,
    Makefile: 'include rules/all\n\ntest:\n\t@sh $(SCRIPT)\n',
    'rules/all': 'SCRIPT = verify.sh\n',
  }
  const found = await reverse(files, { ...broken, 'rules/all': 'SCRIPT = /dev/null\n' }, 'make test')
  expect(found).toEqual({ touches: { tests: [], data: [], machinery: ['rules/all'] }, exitCode: 2 })
})

test('a configuration that an unchanged one extends is of the base', async () => {
  const check = 'node run.cjs --config settings/ci.json'
  const files = {
    'run.cjs':
      "const read = (path) => require('./settings/' + path)\n"
      + "const { minimum } = read(read('ci.json').extends)\n"
      + "if (require('./lib/add.cjs')(1, 2) < minimum) process.exit(1)\n",
    'settings/ci.json': '{ "extends": "./shared.json" }',
    'settings/shared.json': '{ "minimum": 3 }',
    'lib/add.cjs': 'module.exports = (a, b) => a + b\n',
  }
  const change = { 'lib/add.cjs': 'module.exports = () => 0\n', 'settings/shared.json': '{ "minimum": 0 }' }
  expect(await reverse(files, change, check)).toEqual({
    touches: { tests: [], data: [], machinery: ['settings/shared.json'] },
    exitCode: 1,
  })
})

test('a fixture that is no text is of the base', async () => {
  const check = 'cmp lib/out test/expected.bin'
  const found = await reverse(
    { 'lib/out': '\0\u0001', 'test/expected.bin': '\0\u0001' },
    { 'lib/out': '\0\u0002', 'test/expected.bin': '\0\u0002' },
    check,
  )
  expect(found).toEqual({ touches: { tests: [], data: ['test/expected.bin'], machinery: [] }, exitCode: 1 })
})

test('every path that differs is named, also where only the mode does', async () => {
  const repository = makeRepository({ 'a.txt': 'a\n', 'run.sh': 'exit 1\n', bytes: '\0a' })
  const { worktrees, base, at } = await ready(repository, 'T001')
  at('T001').write('bytes', '\0b')
  chmodSync(join(at('T001').root, 'run.sh'), 0o755)
  const { tree } = await inspect(worktrees, 'T001', base)
  expect(await worktrees.changedPaths(base, tree)).toEqual(['bytes', 'run.sh'])
})

test('data that only an unchanged test names is of the base', async () => {
  const check = 'node test/add.test.cjs'
  const files = {
    'test/add.test.cjs':
      "const { readdirSync, readFileSync } = require('node:fs')\n"
      + "for (const name of readdirSync('samples'))\n"
      + "  if (Number(readFileSync('samples/' + name)) !== require('../lib/add.cjs')(1, 2)) process.exit(1)\n",
    'samples/1.out': '3\n',
    'lib/add.cjs': 'module.exports = (a, b) => a + b\n',
  }
  const change = { 'lib/add.cjs': 'module.exports = (a, b) => a - b\n', 'samples/1.out': '-1\n' }
  expect(await reverse(files, change, check)).toEqual({
    touches: { tests: [], data: ['samples/1.out'], machinery: [] },
    exitCode: 1,
  })
})

test('files that mention a word are found, whatever the settings of git', async () => {
  const repository = makeRepository({ 'a/one.txt': 'say "x.json"\n', 'b.txt': 'xojson\n', 'c.txt': '\0x.json' })
  execFileSync('git', ['config', 'color.ui', 'always'], { cwd: repository.root })
  execFileSync('git', ['config', 'grep.patternType', 'perl'], { cwd: repository.root })
  const { worktrees, base } = await ready(repository, 'T001')
  expect(await worktrees.mentioning(base, ['x.json'])).toEqual(['a/one.txt'])
  expect(await worktrees.mentioning(base, ['none'])).toEqual([])
  expect(await worktrees.mentioning(base, [])).toEqual([])
})
