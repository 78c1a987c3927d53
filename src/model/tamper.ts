/** What the tamper guard looks at, and what it finds: tests and checks made weaker so that they pass. */

/** One file that a candidate changed; null where it does not exist. Binary and huge files are left out. */
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
  /** The test's full name, where it is about one. */
  test: string | null
  /** One line: what was there, and what is there now. */
  detail: string
  /** What a test that is gone was about, where that is gone as well. */
  subject?: string
  /** `test` names a function that tests call to assert. */
  helper?: true
  /** In place: an attempt before this one has left it. */
  before?: true
  /** No check of the run reads it: reported, never blocking. */
  aside?: true
}

/** What two looks at the same thing have in common. */
export const findingKey = ({ kind, file, test }: TamperFinding): string => `${kind} ${file} ${test ?? ''}`

export interface GuardReport {
  findings: TamperFinding[]
  /** Files that hold tests which the base does not have. */
  newTests: string[]
}

export interface GuardedChange {
  /** Every path that differs, also those without a text. */
  changed: readonly string[]
  /** Their texts where there are any, and those of files that say what the checks run. */
  files: readonly ChangedFile[]
  /** The commands that judge the work. */
  checks: readonly string[]
}

export interface GuardOverlay {
  /** Taken whole from the side whose tests are run; removed where that side does not have them. */
  paths: string[]
  /** Written with this content: product of one side and tests of the other in one file. */
  merged: { path: string; content: string }[]
  /** Whether there is anything to lay over. */
  touched: boolean
  /**
   * Whether the base's versions can say more than the candidate's own checks, which ran all tests that did not change.
   */
  isTelling: boolean
  touches: GuardTouches
}

/** What of a change is not product, by its role. */
export interface GuardTouches {
  tests: string[]
  data: string[]
  machinery: string[]
  /** Those of them that the base does not have. */
  fresh?: string[]
}

/** Compares tests and definitions of checks between base and candidate. Pure. */
export interface TamperGuard {
  /** Whether a file with this path can be of interest at all. */
  concerns(path: string): boolean
  /** Files that say what a check runs: `compare` is given them also when they did not change. */
  beside: readonly string[]
  /**
   * Further files that the checks read, as far as those given say. They are given as well, also when they did not
   * change.
   */
  alsoRead(files: readonly ChangedFile[], checks: readonly string[]): string[]
  /**
   * What of the change is not product, and how to lay the base's or the candidate's version of it over the other side.
   */
  overlay(how: 'proof' | 'reverse', change: GuardedChange): GuardOverlay
  /** `checks`: the commands that judge the work. */
  compare(changed: readonly ChangedFile[], checks?: readonly string[]): GuardReport
}
