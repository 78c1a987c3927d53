/** Starts Looper with faults that strike from outside: nothing in the program knows of them. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { until } from './live.ts'
import type { Project } from './project.ts'

/** Steps are whatever Looper's own process does that changes something under `.looper/` or `.git/`, counted from 1. */
export interface Faults {
  /** Kills the process there. */
  kill?: Kill | ({ when: 'before' | 'after' } & ({ said: string } | { does: { call: string; path: string } }))
  /** Calls on a file that are refused, from the Nth on, so many times. */
  fail?: {
    file: string
    calls: readonly ('write' | 'datasync' | 'truncate')[]
    code: 'EIO' | 'ENOSPC'
    from: number
    times: number
  }
  /**
   * Starts of processes that fail, from the Nth on, so many times; `of`: only of those with this text among their
   * arguments.
   */
  spawn?: { code: 'EMFILE' | 'ENFILE' | 'EAGAIN' | 'ENOMEM'; from: number; times: number; of?: string }
  /**
   * When the test says `fallAsleep`, every clock is that much further on and every timer is due: as if the machine had
   * slept, or the process been stopped, for so long. `awake` resolves when the process has had the time to notice.
   */
  sleepMs?: number
  /** Sets the clock after the Nth step, or the first that writes a text. */
  jumps?: ({ ms: number } & ({ at: number } | { said: string }))[]
}

/**
 * `during` does half of the step, and counts only steps that have halves: writes, and the removal of folders. `of:
 * lasting` counts only steps that make something last: writes, syncs, renames, links, copies.
 */
export interface Kill {
  at: number
  when: 'before' | 'during' | 'after'
  of?: 'lasting'
}

export interface Step {
  kinds: readonly string[]
  text: string
}

const sleepFile = (project: Project): string => join(project.notes, 'slept')

export const fallAsleep = (project: Project): void => writeFileSync(sleepFile(project), '')

export const awake = (project: Project): Promise<unknown> =>
  until('clocks to be looked at', () => existsSync(`${sleepFile(project)}.noticed`))

const layer = resolve(import.meta.dirname, 'faults.cjs')
const logOf = (project: Project): string => join(project.notes, 'steps')

export function startWith(project: Project, { sleepMs, ...faults }: Faults, ...args: string[]): ChildProcess {
  rmSync(logOf(project), { force: true })
  const sleep = sleepMs === undefined ? undefined : { file: sleepFile(project), ms: sleepMs }
  return project.startThrough(
    ['--require', layer],
    { FAULTS: JSON.stringify({ log: logOf(project), sleep, ...faults }) },
    ...args,
  )
}

/** What the process that was started last has changed, step by step; nothing when another process killed it. */
export function stepsOf(project: Project): string[] {
  return kindsOf(project).map(({ text }) => text)
}

/** The same, with what kinds of steps they were. */
export function kindsOf(project: Project): Step[] {
  const lines = existsSync(logOf(project)) ? readFileSync(logOf(project), 'utf8').split('\n') : []
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [kinds = '', text = ''] = line.split('\t')
      return { kinds: kinds.split(','), text: text.replace(`${project.root}/`, '') }
    })
}
