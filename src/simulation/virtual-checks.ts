/** Checks of the virtual world: except for flaky ones, their result depends only on the tree. */
import type { PauseKind } from '../model/pause.ts'
import type { CheckOutcome, CheckWork } from '../model/work.ts'
import { readWorkId } from '../model/work-id.ts'
import type { Random } from './random.ts'
import type { Scenario } from './scenario.ts'
import { fileOf } from './virtual-files.ts'
import { ignoredFor, type Files, type VirtualGit } from './virtual-git.ts'

/** Whether the check belongs to the first merge of a round of an attempt. */
const isFirstMerge = (id: string): boolean =>
  readWorkId(id).steps.some(({ name, nth, rest }) => name === 'check' && nth !== null && rest === '')

export const isGreen = (check: string, files: Files): boolean => failingIn(check, files).length === 0

/** Whether everything that fails there failed before the first task as well. */
export function isNoWorse(check: string, at: string, git: VirtualGit): boolean {
  const before = new Set(failingIn(check, git.filesOf(git.base)))
  return failingIn(check, git.filesOf(at)).every((path) => before.has(path))
}

/** The failures there, one per file. */
export function failingIn(check: string, files: Files): string[] {
  const paths = Object.keys(files)
  const begins = (...words: string[]): string[] =>
    paths.filter((path) => words.some((word) => files[path]?.startsWith(word)))
  const breaks = (what: string): string[] => paths.filter((path) => files[path]?.endsWith(` breaks ${what}`))
  if (check === 'lint') return begins('ugly')
  if (check === 'secret') return begins('sly')
  if (check === 'whole') return breaks('whole')
  const [, own] = /^accept (.+)$/.exec(check) ?? []
  if (own !== undefined) return [...breaks(own), ...lacking(own, files)]
  const clashes = begins('clash')
  const leaning = begins('leaning').filter((path) => files[ignoredFor(path)] === undefined)
  // Weakened tests do not detect what is wrong with their file.
  const isSeen = (path: string): boolean => !files[path.replace(/txt$/, 'test')]?.startsWith('weakened')
  const unproven = begins('proving').filter((path) => !isProven(path, files))
  return [...begins('bad', 'half').filter(isSeen), ...leaning, ...(clashes.length < 2 ? [] : clashes), ...unproven]
}

/** The task's own check, in addition to the checks of all tasks. */
export const ownCheck = (taskId: string): string => `accept ${taskId}`

/** A task's text in a shared file must still be there. */
function lacking(id: string, files: Files): string[] {
  const own = files[fileOf(id)]
  const isThere =
    own !== undefined && (!own.includes(' shares') || files['shared.txt']?.split('|').includes(id) === true)
  return isThere ? [] : [fileOf(id)]
}

/** New tests that prove something fail without the file they test. */
const isProven = (spec: string, files: Files): boolean => files[spec.replace(/spec$/, 'txt')] !== undefined

export interface CheckWorld {
  random: Random
  scenario: Scenario
  /** Whether the user has repaired the machine. */
  isRepaired: (kind: PauseKind) => boolean
}

/** `files` is null when the check has no folder to run in. `nth`: which check of the world it is. */
export function checkOutcome(work: CheckWork, files: Files | null, nth: number, world: CheckWorld): CheckOutcome {
  const { random, scenario } = world
  const { patient, unrest } = scenario
  const isRepaired = world.isRepaired('setup') || world.isRepaired('health')
  if (unrest?.gone?.check === work.name && nth > unrest.gone.after && !isRepaired) return goneOutcome
  if (unrest?.alike === work.name && work.task !== null && !isRepaired) return refusedOutcome
  if (work.name === 'until') return untilOutcome(random.fork(work.id).chance(0.4))
  const failing = files === null ? [] : failingIn(work.name, files)
  const shakes = failing.length === 0 && random.fork(`mood of ${work.id}`).chance(unrest?.flaky[work.name] ?? 0)
  const green = files !== null && failing.length === 0 && !shakes
  const missing = files === null || work.name.startsWith('missing')
  // Whether a merge or the final tree is checked once more depends on timing.
  const always = work.task !== null && isFirstMerge(work.id)
  const empty = green && (always || !patient) && random.fork(work.id).chance(0.02)
  const named =
    unrest?.base === 'named' && !missing && !green
      ? { failing: shakes ? ['now and then'] : failing, tests: 10, passing: 5 }
      : {}
  return {
    kind: 'check',
    exitCode: missing ? 127 : green ? 0 : 1,
    durationMs: 10,
    timedOut: false,
    started: !missing,
    tests: empty ? 0 : green && (!unrest || work.name === 'test') ? 3 : null,
    tail: green ? '' : 'red',
    fingerprint: green ? null : `${work.name} is red: ${shakes ? 'now and then' : failing.join(', ')}`,
    ...named,
  }
}

const goneOutcome: CheckOutcome = {
  kind: 'check',
  exitCode: 127,
  durationMs: 10,
  timedOut: false,
  started: true,
  tests: null,
  tail: 'sh: 1: tool: not found',
  fingerprint: 'tool is gone',
  cannotRun: { kind: 'program', subject: 'tool', line: 'sh: 1: tool: not found' },
}

const refusedOutcome: CheckOutcome = {
  kind: 'check',
  exitCode: 1,
  durationMs: 10,
  timedOut: false,
  started: true,
  tests: null,
  tail: 'Error: the service refused',
  fingerprint: 'the service refused',
}

/** The user's `until` command, which runs no tests. */
const untilOutcome = (isEnough: boolean): CheckOutcome => ({
  kind: 'check',
  exitCode: isEnough ? 0 : 1,
  durationMs: 10,
  timedOut: false,
  started: true,
  tests: null,
  tail: '',
  fingerprint: null,
})
