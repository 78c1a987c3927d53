/** Inputs and findings of the tamper guard: tests and checks that were weakened so that they pass. */

/** A file that a candidate changed; null where it does not exist. Binary and huge files are omitted. */
export interface ChangedFile {
  path: string
  before: string | null
  after: string | null
}

export const tamperKinds = [
  'test-deleted',
  'test-skipped',
  'test-focused',
  'assertions-removed',
  'assertion-weakened',
  'threshold-lowered',
  'ci-lowered',
  'snapshots-rewritten',
  'check-changed',
] as const
export type TamperKind = (typeof tamperKinds)[number]

export interface TamperFinding {
  kind: TamperKind
  file: string
  /** The full name of the test, if the finding is about one. */
  test: string | null
  /** One line: the old and the new content. */
  detail: string
  /** The subject of a removed test, if that was removed as well. */
  subject?: string
  /** `test` names a function that tests call to assert. */
  helper?: true
  /** In place: an earlier attempt left it. */
  before?: true
  /** No check of the run reads the file: reported, never blocking. */
  aside?: true
}

/** Identifies the same finding across inspections. */
export const findingKey = ({ kind, file, test }: TamperFinding): string => `${kind} ${file} ${test ?? ''}`

export interface GuardReport {
  findings: TamperFinding[]
  /** Files with tests that the base does not have. */
  newTests: string[]
}

export interface GuardedChange {
  /** Every path that differs, including files without text. */
  changed: readonly string[]
  /** Their texts where available, and the files that define what the checks run. */
  files: readonly ChangedFile[]
  /** The commands that judge the work. */
  checks: readonly string[]
}

export interface GuardOverlay {
  /** Taken whole from the side whose tests run; removed if that side does not have them. */
  paths: string[]
  /** Files written with this content: product code of one side and tests of the other in one file. */
  merged: { path: string; content: string }[]
  /** Whether there is anything to overlay. */
  touched: boolean
  /** Whether the base's versions can reveal more than the candidate's own checks, which ran all unchanged tests. */
  mayRevealMore: boolean
  touches: GuardTouches
}

/** The changed files that are not product code, by role. */
export interface GuardTouches {
  tests: string[]
  data: string[]
  machinery: string[]
  /** Those of them that the base does not have. */
  fresh?: string[]
}

/** Compares tests and definitions of checks between base and candidate. Pure. */
export interface TamperGuard {
  /** Whether the guard needs files with this path at all. */
  concerns(path: string): boolean
  /** Files that define what a check runs. `compare` receives them even when they did not change. */
  beside: readonly string[]
  /**
   * Further files that the checks read, according to the given ones. `compare` receives them as well, even when they
   * did not change.
   */
  alsoRead(files: readonly ChangedFile[], checks: readonly string[]): string[]
  /** Words to search the base for: files that contain them show whether tests or product use a changed file. */
  searched(change: GuardedChange): string[]
  /** Those of the paths that contain such words to read, the most useful first. */
  worthReading(paths: readonly string[]): string[]
  /**
   * The changed files that are not product code, and how to overlay the base's or the candidate's version on the other
   * side.
   */
  overlay(how: 'proof' | 'reverse', change: GuardedChange): GuardOverlay
  /** `checks`: the commands that judge the work. */
  compare(changed: readonly ChangedFile[], checks?: readonly string[]): GuardReport
}
