/**
 * What tests of living and dying runs share: agents that wait for a word of the test, kills that are certain, and a
 * look for survivors.
 */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/model/event.ts'
import { runKey } from '../../src/platform/mark.ts'
import { endMarked, findMarked } from '../../src/platform/sweep.ts'
import type { Ended, Project } from './project.ts'

const patienceMs = 120_000

/** Polls until there is something; a test that waits in vain says for what. */
export async function until<T>(what: string, look: () => T | null | undefined | false): Promise<T> {
  const begun = performance.now()
  for (;;) {
    const found = look()
    if (found !== null && found !== undefined && found !== false) return found
    if (performance.now() - begun > patienceMs) throw new Error(`waited in vain for ${what}`)
    await sleep(10)
  }
}

/**
 * What a process in a shell can say about itself that names it on the host too: its number, the namespace in which it
 * has that number, and when it started. Without `/proc` only the number.
 */
export const shellIdentity = '$$ $(readlink /proc/$$/ns/pid) $(cut -d" " -f22 /proc/$$/stat)'

/** The same for an agent: `identity(pid)`. */
export const identifying = `
const identity = (pid = process.pid) => {
  try {
    const stat = fs.readFileSync('/proc/' + pid + '/stat', 'utf8')
    return [pid, fs.readlinkSync('/proc/' + pid + '/ns/pid'), stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]].join(' ')
  } catch { return String(pid) }
}
`

/**
 * Before the agent's own body: notes each start as `<turn> <identity>`; `hold(name)` waits until the test says
 * `go(name)`, `may(name)` asks.
 */
export const noting = `${identifying}
note('starts', env.LOOPER_TURN + ' ' + identity())
const read = (name) => { try { return fs.readFileSync(path.join(env.NOTES, name), 'utf8').trim().split('\\n') } catch { return [] } }
const may = (name) => fs.existsSync(path.join(env.NOTES, name + '.go'))
const hold = async (name) => {
  note('held', name)
  while (!may(name)) {
    if (!fs.existsSync(env.NOTES)) process.exit(99)
    await sleep(10)
  }
}
`

export const go = (project: Project, name: string): void => writeFileSync(join(project.notes, `${name}.go`), '')

/** The lines that agents have noted so far. */
export function notes(project: Project, name: string): string[] {
  const file = join(project.notes, name)
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

/** Resolves when an agent waits for `go(name)`. */
export const held = (project: Project, name: string): Promise<unknown> =>
  until(`an agent that waits for ${name}`, () => notes(project, 'held').includes(name))

/** The turns that were started, in order, without their pids. */
export const starts = (project: Project): string[] => notes(project, 'starts').map((line) => line.split(' ')[0] ?? '')

export function pidOf(project: Project, turn: string): number {
  const line = notes(project, 'starts').findLast((noted) => noted.startsWith(`${turn} `)) ?? ''
  return hostPid(line.slice(turn.length + 1))
}

/** No process has such a number. */
const noPid = 2 ** 30

/**
 * The number on the host of the process that noted this about itself; of one that is gone, a number without process.
 */
export function hostPid(identity: string): number {
  const [pid = '', namespace] = identity.split(' ')
  if (namespace === undefined) return Number(pid)
  const isIt = (candidate: string): boolean => identityOf(candidate) === identity
  return isIt(pid)
    ? Number(pid)
    : Number(
        readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .find(isIt) ?? noPid,
      )
}

/** Whether the process that noted this about itself still runs. */
export const lives = (identity: string): boolean => isRunning(hostPid(identity))

/** In the words of the process itself, which in a sandbox has another number. */
function identityOf(pid: string): string {
  try {
    const inner = /^NSpid:.*?(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? pid
    const stat = statOf(Number(pid))
    return [inner, readlinkSync(`/proc/${pid}/ns/pid`), stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]].join(' ')
  } catch {
    return ''
  }
}

export interface Process {
  pid: number
  /** What it has printed so far. */
  stdout(): string
  stderr(): string
  ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
}

/** `looper` in a process of its own, followed. */
export function follow(child: ChildProcess): Process {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return {
    pid: child.pid as number,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    kill: (signal) => void child.kill(signal),
  }
}

export async function killHard(looper: Process): Promise<void> {
  looper.kill('SIGKILL')
  await looper.ended
}

/** Kills a process that is not our child, and waits until the kernel has forgotten it or knows it as dead. */
export async function killStranger(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await gone(pid)
}

export const gone = (pid: number): Promise<unknown> => until(`the end of process ${pid}`, () => !isRunning(pid))

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie whose new parent does not care is as dead as can be.
  return !/\) [ZX] /.test(statOf(pid))
}

/** Empty where there is no `/proc`, and when it ended just now. */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/** Events of a run that may have none yet, without a torn last line. */
export function eventsSoFar(project: Project, run = 'last'): Event[] {
  const file = join(project.root, '.looper/runs', run, 'events.jsonl')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Event)
}

export const keyOf = (project: Project, run = 'last'): string => runKey(join(project.root, '.looper/runs', run))

/** Processes of the run that still live. */
export const survivors = (project: Project, run = 'last'): string[] =>
  findMarked(`${keyOf(project, run)}:`).map(({ pid, mark }) => `${pid} ${mark}`)

/** Keepers of the project's runs, which carry no mark: they are named by their arguments. */
export function keepers(project: Project): number[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && isRunning(pid))
    .filter((pid) => {
      const words = argumentsOf(pid)
      return words.some((word) => word.endsWith('keeper.js')) && words.some((word) => word.startsWith(project.root))
    })
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function runsOf(project: Project): string[] {
  const folder = join(project.root, '.looper/runs')
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^\d/.test(name)) : []
}

/** Processes of all runs of the project that still live. */
export const allSurvivors = (project: Project): string[] => runsOf(project).flatMap((run) => survivors(project, run))

/** Whatever a failed test leaves behind ends with it. */
export async function removeAll(project: Project): Promise<void> {
  project.endStarted()
  for (const run of runsOf(project)) await endMarked(`${keyOf(project, run)}:`, { graceMs: 0 })
  await until('the end of all keepers', () => keepers(project).length === 0)
  project.remove()
}

/** The files of a branch with their content, as git names it. */
export const treeOf = (project: Project, branch: string): string => project.git('ls-tree', '-r', branch)

/** The tasks whose commits are on the run branch, oldest first. */
export function landed(project: Project, branch: string): string[] {
  const format = '%(trailers:key=Looper-Task,valueonly,separator=%x20)'
  return project
    .git('log', '--reverse', `--format=${format}`, `main..${branch}`)
    .split('\n')
    .filter((line) => line !== '')
}

/** The kinds of agent error that attempts failed with. */
export const failures = (project: Project): (string | null)[] =>
  eventsSoFar(project).flatMap((event) => (event.type === 'attempt.failed' ? [event.failure.error] : []))
