/**
 * Runs the built program with an agent that does something unusual, and judges the result without trusting it: by the
 * same checks on fresh clones of every commit that landed, by the processes left, and by what changed outside. With
 * `LOOPER_TEST_SANDBOX=os` the agent is in the sandbox.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { StatusView } from '../../src/views/status/status.ts'
import { removeAll, survivors } from './live.ts'
import { listening } from './outside.ts'
import { createProject, usualSandbox, type Ended, type Project } from './project.ts'
import { differences, surroundingsOf, unmatched } from './surroundings.ts'

export interface HostileCase {
  name: string
  files?: Record<string, string>
  /** Changes the repository or the home folder before the run starts. */
  before?: (project: Project) => void
  /** The plan; one task when absent. */
  tasks?: readonly Record<string, unknown>[]
  goal?: string
  /**
   * Statements of the coder: with `git(...args)`, `tryGit(...args)`, `sh(line)`, `fixing`, and what the kit's agents
   * have.
   */
  coder: string
  checks?: readonly string[]
  setup?: readonly string[]
  config?: Record<string, unknown>
  /** `failed`: the run says with exit code 1 that it is not done. `either`: both are honest, the judge decides. */
  expected: 'completed' | 'failed' | 'paused' | 'either'
  /** Without root's right to pass over file modes. */
  meek?: true
  /**
   * Paths and refs outside that the agent changes on purpose, without a sandbox. The run must report each of them; in
   * the sandbox none may change.
   */
  changes?: readonly string[]
  /** What it changes outside and puts back; the run reports it as well. */
  restores?: readonly string[]
  /** What differs in the sandbox, and why. `told: null`: there is no fix, or it has another prompt. */
  confined?: { why: string; expected?: HostileCase['expected']; told?: null }
  /** Part of the prompt of the first fix. */
  told?: string
  after?: (judged: Judged) => void | Promise<void>
}

export interface Judged {
  project: Project
  ended: Ended
  status: StatusView
  /** Files of the run branch. */
  landed: string[]
  /** The tasks that the run calls done. */
  done: string[]
}

/** A small project whose one check imports every file in `test/`. */
export const product: Record<string, string> = {
  'check.mjs': `import { readdirSync } from 'node:fs'
for (const name of readdirSync('test').sort()) await import('./test/' + name)
`,
  'lib/add.mjs': 'export const add = (a, b) => a + b\n',
  'test/add.mjs': `import assert from 'node:assert'
import { add } from '../lib/add.mjs'
assert.equal(add(1, 2), 3)
`,
}

/** Statements of a coder that adds `mul` in `file`, with a test that imports it. */
export const addMul = (file = 'lib/mul.mjs'): string => `
write('${file}', 'export const mul = (a, b) => a * b\\n')
write('test/mul.mjs', ${JSON.stringify(testOfMul(file))})
`

/** A test that imports `mul` from a file of the tree. */
export const testOfMul = (file: string): string =>
  `import assert from 'node:assert'\nimport { mul } from '../${file}'\nassert.equal(mul(2, 3), 6)\n`

const prelude = `${listening}
import { execFileSync, spawn } from 'node:child_process'
import os from 'node:os'
const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }
const git = (...args) => execFileSync('git', args, options).trimEnd()
const tryGit = (...args) => { try { return git(...args) } catch { return null } }
const refs = (folder) => git('for-each-ref', '--format=%(refname)', folder).split('\\n').filter(Boolean)
const sh = (line) => execFileSync('sh', ['-c', line], options).trimEnd()
const fixing = purpose === 'fix'
const home = path.dirname(env.NOTES), checkout = path.join(home, 'repo')
const noted = (name) => {
  try { return fs.readFileSync(path.join(env.NOTES, name), 'utf8').trim().split('\\n') } catch { return [] }
}
const meet = async (name, count) => {
  note(name, task)
  while (noted(name).length < count && fs.existsSync(env.NOTES)) await sleep(10)
}
`

function agentOf({ tasks = [{ id: 'T001', title: 'multiply' }], coder }: HostileCase): string {
  return `${prelude}
if (role === 'planner') answer({ status: 'plan', tasks: ${JSON.stringify(tasks)} })
if (role === 'coder') {
  const result = await (async () => {
${coder}
  })()
  answer({ status: 'complete', summary: 'done', ...result })
}`
}

/** One attempt, one fix: enough to say what is wrong and to see it fixed. */
const limits = { attempts: 1, fixCycles: 1, splitDepth: 0, goalIterations: 0 }
const meek = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] as const
const isRoot = process.getuid?.() === 0

/** Runs the case, judges it, and compares the judgment with what the case expects. */
export async function playCase(given: HostileCase): Promise<Judged> {
  const hostile = usualSandbox === 'os' ? confinedCase(given) : given
  const { files = product, checks = ['node check.mjs'], setup = [], config = {}, before } = hostile
  const project = createProject({
    files,
    agent: agentOf(hostile),
    config: { review: false, limits, checks, workspace: { setup }, ...config },
  })
  onTestFinished(() => removeEverything(project))
  before?.(project)
  const around = surroundingsOf(project)
  const through: readonly [string, ...string[]] = hostile.meek && isRoot ? meek : [process.execPath]
  const ended = await project.looperThrough(through, 'run', hostile.goal ?? 'multiply')
  // Traps that the agent set for Looper's git; the judge's own git would spring them too.
  expect(textOf(join(project.notes, 'sprung'))).toBe('')
  const judged = await judge(project, ended, checks, hostile.setup)
  const changed = differences(around, surroundingsOf(project))
  expect(changed.filter((path) => !hostile.changes?.some((each) => path.startsWith(each)))).toEqual([])
  const reported = judged.status.outside
    .flatMap(({ paths }) => paths)
    .filter((path) => !hostile.restores?.includes(path))
  expect(unmatched(changed, reported)).toEqual({ untold: [], invented: [] })
  const expected = hostile.expected === 'either' ? (ended.code === 0 ? 'completed' : 'failed') : hostile.expected
  expect({ ended: judged.status.status, ...brief(ended) }).toEqual({ ended: expected, ...exits[expected] })
  if (hostile.told !== undefined) expect(promptOf(project, 'T001/a1/fix1')).toContain(hostile.told)
  await hostile.after?.(judged)
  return judged
}

/** In the sandbox nothing outside changes, so that nothing is reported. */
function confinedCase({ confined, ...hostile }: HostileCase): HostileCase {
  const played = { ...hostile, changes: [], restores: [], expected: confined?.expected ?? hostile.expected }
  if (confined?.told === null) delete played.told
  return played
}

const exits = {
  completed: { code: 0, stderr: '', reason: '' },
  failed: { code: 1, stderr: '', reason: '' },
  paused: { code: 3, stderr: '', reason: expect.stringContaining('looper resume') as string },
}

/** The last lines say why, when a test fails. */
const brief = ({ code, stderr, stdout }: Ended): { code: number | null; stderr: string; reason: string } => ({
  code,
  stderr,
  reason: code === 0 || code === 1 ? '' : stdout.split('\n').slice(-15).join('\n'),
})

export const promptOf = ({ notes }: Project, turn: string): string => {
  const file = join(notes, `${turn.replaceAll('/', '_')}.prompt`)
  return existsSync(file) ? readFileSync(file, 'utf8') : `there was no turn ${turn}`
}

/** No landed commit is red in a fresh clone, "completed" means that the last one is green, and no process is left. */
export async function judge(
  project: Project,
  ended: Ended,
  checks: readonly string[],
  setup: readonly string[] = [],
): Promise<Judged> {
  const status = await project.status()
  const { branch } = status
  const commits = project
    .git('rev-list', '--reverse', `main..${branch}`)
    .split('\n')
    .filter((line) => line !== '')
  const tip = project.git('rev-parse', branch)
  const red = [...new Set([...commits, tip])].flatMap((commit) => redIn(project, commit, [...setup, ...checks]))
  expect(red).toEqual([])
  expect([...survivors(project), ...relatives(project)]).toEqual([])
  const done = status.tasks.filter((task) => task.status === 'done').map(({ id }) => id)
  const trailer = '--format=%(trailers:key=Looper-Task,valueonly,separator=%x20)'
  const owners = project.git('log', trailer, `main..${branch}`).split('\n')
  expect(done.filter((id) => !owners.includes(id) && !landedNothing(project, id))).toEqual([])
  const landed = project
    .git('ls-tree', '-r', '-z', '--name-only', branch)
    .split('\0')
    .filter((path) => path !== '')
  return { project, ended, status, landed, done }
}

/** A task may be done without a commit when its change was there already. */
const landedNothing = (project: Project, task: string): boolean =>
  project.events().some((event) => event.type === 'task.finished' && event.task === task && event.commit === null)

/** The set-up and checks that are red in a fresh clone at this commit, with the end of their output. */
function redIn(project: Project, commit: string, checks: readonly string[]): string[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'looper-judge-')))
  try {
    const [home, clone] = [join(folder, 'home'), join(folder, 'clone')]
    mkdirSync(home)
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      LANG: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ALLOW_PROTOCOL: 'file',
    }
    const git = (...args: string[]): string => execFileSync('git', args, { env, encoding: 'utf8', stdio: 'pipe' })
    git('clone', '-q', '--no-checkout', '--no-local', '-c', 'core.fsmonitor=false', project.root, clone)
    git('-C', clone, 'checkout', '-q', '--detach', commit)
    if (existsSync(join(clone, '.gitmodules'))) fillSubmodules(project, clone, git)
    return checks.flatMap((check) => {
      const result = spawnSync('sh', ['-c', check], { cwd: clone, env, encoding: 'utf8' })
      const output = (result.stdout + result.stderr).slice(-1500)
      return result.status === 0 ? [] : [`${check} at ${commit}: ${result.status} ${output}`]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** From the checkout's own copies: the run keeps the commits of submodules there. */
function fillSubmodules(project: Project, clone: string, git: (...args: string[]) => string): void {
  const copies = join(project.root, '.git/modules')
  for (const name of existsSync(copies) ? readdirSync(copies) : []) {
    const copy = join(copies, name)
    git('-C', clone, 'submodule', 'init')
    git('-C', clone, 'config', `submodule.${name}.url`, copy)
    git('-C', copy, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    git('-C', clone, 'submodule', 'update')
    git('-C', copy, 'config', '--unset', 'uploadpack.allowAnySHA1InWant')
  }
}

/** Processes that are in the project's folders or were started with them, whatever they did with their environment. */
function relatives(project: Project): string[] {
  const home = dirname(project.root)
  if (!existsSync('/proc/self/cwd')) return []
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      const [cwd, line] = [linkOf(`/proc/${pid}/cwd`), textOf(`/proc/${pid}/cmdline`)]
      const isRelated = cwd.startsWith(`${home}/`) || line.includes(`${home}/`)
      return isRelated ? [`${pid} ${cwd} ${line.replaceAll('\0', ' ')}`] : []
    })
}

const linkOf = (path: string): string => orEmpty(() => readlinkSync(path))
const textOf = (path: string): string => orEmpty(() => readFileSync(path, 'utf8'))

function orEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Also folders that Node cannot remove. */
async function removeEverything(project: Project): Promise<void> {
  for (const line of relatives(project)) process.kill(Number(line.split(' ')[0]), 'SIGKILL')
  spawnSync('chmod', ['-R', 'u+rwX', dirname(project.root)])
  spawnSync('rm', ['-rf', join(dirname(project.root), '.cache')])
  await removeAll(project)
}
