/** Set-up runs once for a lock file: its products are stored, copied into workspaces, and survive runs and kills. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { CacheCleaning } from '../../src/views/history/cache-cleaning.ts'
import { follow, removeAll } from '../kit/live.ts'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => removeAll(project))

/** Three coders at once. Each records what it finds installed; a planner records that it found nothing. */
const agent = `
const installed = fs.existsSync('node_modules/dep/index.js') ? fs.readFileSync('node_modules/dep/index.js', 'utf8') : 'nothing'
note(role, installed.trim())
if (role === 'planner') answer({ status: 'plan', tasks: ['T001', 'T002', 'T003'].map((id) => ({ id, title: id })) })
if (role === 'coder') { write(task + '.txt', task); answer({ status: 'complete', summary: 'made' }) }
`
/** No lock file, and a dependency that npm finds without a network. */
const files = {
  '.gitignore': 'node_modules/\n',
  'package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { dep: 'file:vendor/dep' } }),
  'vendor/dep/package.json': JSON.stringify({ name: 'dep', version: '1.0.0' }),
  'vendor/dep/index.js': 'module.exports = 1\n',
}
const config = { review: false, checks: ['node -e "require(\'dep\')"'], parallel: 3, baseline: 'no-worse' }

const create = (): Project => createProject({ agent, files, config })
const notesOf = (name: string): string[] =>
  existsSync(join(project.notes, name)) ? readFileSync(join(project.notes, name), 'utf8').trim().split('\n') : []

/** A folder with a program that is found instead of the real one. */
function programs(name: string, script: (real: string) => string): Record<string, string> {
  const bin = join(project.notes, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), script(execFileSync('which', [name], { encoding: 'utf8' }).trim()))
  chmodSync(join(bin, name), 0o755)
  return { PATH: `${bin}:${process.env['PATH']}` }
}

const countingNpm = (): Record<string, string> =>
  programs('npm', (real) => `#!/bin/sh\necho "$*" >> '${project.notes}/npm'\nexec '${real}' "$@"\n`)

const run = async (env: Record<string, string>, ...args: string[]): Promise<number | null> =>
  (await follow(project.startThrough([], env, ...args)).ended).code

const store = (): string => join(project.workspaces, '.setup')
const stored = (): string[] => readdirSync(store()).flatMap((checkout) => readdirSync(join(store(), checkout)))

const allFound = (count: number): string[] => Array.from({ length: count }, () => 'module.exports = 1')

test('F21: a project without a lock file is set up with npm install, and its planner does not wait for it', async () => {
  project = create()
  const env = countingNpm()
  expect(await run(env, 'run', 'Do it')).toBe(0)
  expect(new Set(notesOf('npm'))).toEqual(new Set(['install --no-package-lock']))
  expect(notesOf('planner')).toEqual(['nothing'])
  expect(notesOf('coder')).toEqual(allFound(3))
})

/** T001 adds a dependency. T002 works until that has landed, and its change needs a fix after the merge. */
const adding = `
const has = () => fs.existsSync('node_modules/more/index.js')
if (role === 'planner') answer({ status: 'plan', tasks: ['T001', 'T002'].map((id) => ({ id, title: id })) })
if (task === 'T001') {
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  manifest.dependencies.more = 'file:vendor/more'
  write('package.json', JSON.stringify(manifest))
  write('check.cjs', "require('more')\\nif (require('fs').existsSync('wrong.txt')) throw new Error('wrong')\\n")
}
if (task === 'T002') {
  note('T002', purpose + ' ' + has())
  const landed = () => fs.readFileSync(env.NOTES + '/../repo/.looper/runs/001-x/events.jsonl', 'utf8').includes('"task.finished"')
  while (purpose !== 'fix' && !landed()) await sleep(50)
  if (purpose === 'fix') fs.rmSync('wrong.txt')
  else write('wrong.txt', 'wrong')
  write('T002.txt', 'T002')
}
if (role === 'coder') answer({ status: 'complete', summary: 'made' })
`

test('F21: a dependency that lands without a lock file is installed where another task is in flight', async () => {
  const more = {
    'check.cjs': "require('dep')\n",
    'vendor/more/package.json': JSON.stringify({ name: 'more', version: '1.0.0' }),
    'vendor/more/index.js': 'module.exports = 2\n',
  }
  project = createProject({
    agent: adding,
    files: { ...files, ...more },
    config: { ...config, checks: ['node check.cjs'], checkReruns: 0, guard: 'off' },
  })
  expect((await project.looper('run', 'x')).code).toBe(0)
  expect(notesOf('T002')).toEqual(['implement false', 'fix true'])
  expect(project.git('show', 'looper/001-x:T002.txt')).toBe('T002')
})

/** A package in npm's cache, and a lock file that names it: npm installs it without a network. */
function lockDependency(): void {
  const folder = join(project.notes, 'dep')
  mkdirSync(join(folder, 'package'), { recursive: true })
  for (const name of ['package.json', 'index.js'] as const)
    writeFileSync(join(folder, 'package', name), files[`vendor/dep/${name}`])
  const archive = join(folder, 'dep-1.0.0.tgz')
  execFileSync('tar', ['-czf', archive, '-C', folder, 'package'])
  execFileSync('npm', ['cache', 'add', '--cache', join(project.root, '../.npm'), archive], { stdio: 'ignore' })
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  const root = { name: 'app', version: '1.0.0', dependencies: { dep: '1.0.0' } }
  const dep = { version: '1.0.0', resolved: 'http://127.0.0.1/dep-1.0.0.tgz', integrity }
  const packages = { '': root, 'node_modules/dep': dep }
  project.write('package.json', JSON.stringify(root))
  project.write('package-lock.json', JSON.stringify({ name: 'app', version: '1.0.0', lockfileVersion: 3, packages }))
  project.git('add', '--all')
  project.git('commit', '--quiet', '--message', 'Lock')
}

test('F21: npm runs once for a lock file: for all coders and checks, and for the next run', async () => {
  project = create()
  lockDependency()
  project.configure({ ...config, workspace: { setup: ['npm ci --offline'] } })
  const env = countingNpm()
  expect(await run(env, 'run', 'Do it')).toBe(0)
  expect(notesOf('npm')).toEqual(['ci --offline'])
  expect(notesOf('planner')).toEqual(['nothing'])
  expect(notesOf('coder')).toEqual(allFound(3))
  expect(await run(env, 'run', 'Do it again')).toBe(0)
  expect(notesOf('npm')).toHaveLength(1)
  expect(notesOf('coder')).toEqual(allFound(6))
})

/** The nth copy, by `tar` or by `cp`, writes half of a file and kills the engine. */
const murderousCopy = (nth: number): Record<string, string> => {
  const copy = (real: string, half: string): string => `#!/bin/sh
n=1; while ! mkdir '${project.notes}'/copy-$n 2>/dev/null; do n=$((n + 1)); done
[ $n -eq ${nth} ] || exec '${real}' "$@"
${half}
kill -9 $PPID
`
  const halfFile = (folder: string): string =>
    `mkdir -p "${folder}/node_modules/dep"; echo half > "${folder}/node_modules/dep/index.js"`
  programs('cp', (real) => copy(real, `for last; do :; done\n${halfFile('$last')}`))
  const halfArchive = `make=$1; while [ "$1" != -f ]; do shift; done; archive=$2; folder=$4
if [ "$make" = -c ]; then echo half > "$archive"; else ${halfFile('$folder')}; fi`
  return programs('tar', (real) => copy(real, halfArchive))
}

describe('nothing half-copied is used', () => {
  test.each([1, 2, 3, 4])('when Looper is killed during copy %i', async (nth) => {
    project = create()
    expect(await run(murderousCopy(nth), 'run', 'Do it')).not.toBe(0)
    expect(existsSync(join(project.notes, `copy-${nth}`))).toBe(true)
    expect((await project.looper('resume')).code).toBe(0)
    expect(new Set(notesOf('coder'))).toEqual(new Set(['module.exports = 1']))
    expect(stored().every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true)
    expect(stored()).toHaveLength(1)
  })
})

describe('the cache', () => {
  test('is shown by doctor and emptied by clean --cache', async () => {
    project = create()
    expect((await project.looper('run', 'Do it')).code).toBe(0)
    expect((await project.looper('doctor')).stdout).toMatch(/set-up cache\s+1 stored set-up, [\d.]+ kB/)

    const asked = await project.looper('clean', '--cache')
    expect(asked.code).not.toBe(0)
    expect(asked.stdout).toMatch(/Would remove 1 stored set-up: [\d.]+ kB of/)
    const dry = await project.looper('clean', '--cache', '--dry-run', '--json')
    const plan = JSON.parse(dry.stdout) as CacheCleaning
    expect(plan).toMatchObject({ dryRun: true, of: 'cache', kept: [], removed: [{ bytes: plan.totalBytes }] })
    expect(stored()).toHaveLength(1)

    const done = await project.looper('clean', '--cache', '--yes')
    expect(done.stdout).toMatch(/Removed 1 stored set-up: ([\d.]+ kB) of \1\.\n$/)
    expect(done.code).toBe(0)
    expect(stored()).toEqual([])
    expect((await project.looper('clean', '--cache')).stdout).toBe('Nothing to remove; 0 B in use.\n')
    expect((await project.looper('doctor')).stdout).toMatch(/set-up cache\s+empty/)
    expect((await project.looper('status', '--json')).code).toBe(0)
  })

  test('keeps what a live run uses', async () => {
    project = createProject({ agent: `${agent}\nif (role === 'coder') await sleep(600_000)`, files, config })
    const live = follow(project.start('run', 'Do it'))
    try {
      await expect.poll(() => notesOf('coder').length, { timeout: 240_000 }).toBe(3)
      const { stdout, code } = await project.looper('clean', '--cache', '--yes')
      expect(stdout).toMatch(/kept: a live run uses it\nNothing to remove; [\d.]+ kB in use\.\n$/)
      expect(code).toBe(0)
      expect(stored()).toHaveLength(1)
    } finally {
      await project.looper('abort')
      await live.ended
    }
  })

  test('has options of its own', async () => {
    project = create()
    const { code, stderr } = await project.looper('clean', '--cache', '--keep', '3')
    expect(code).toBe(2)
    expect(stderr).toContain('--cache is for stored set-ups')
  })
})
