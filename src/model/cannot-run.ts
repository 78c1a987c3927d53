/** Why a check cannot run where it was started: the environment lacks something, and no change of the code helps. */

export const cannotRunKinds = [
  'program',
  'module',
  'target',
  'env-file',
  /** An environment variable is not set. */
  'variable',
  'no-tests',
  'port',
  'network',
  /** The set-up before it fails. */
  'setup',
] as const
export type CannotRunKind = (typeof cannotRunKinds)[number]

export interface CannotRun {
  kind: CannotRunKind
  /** The program, package, script, file, variable, port or host in the check's words; of a set-up, what it says. */
  subject: string
  /** The line of the output that says so. */
  line: string
  /** The missing file is in the checkout, where git ignores it. */
  inCheckout?: true
  /** An untracked file in the checkout sets the missing variable. */
  setIn?: string
  /** The user's environment sets the missing variable, and the check does not see it. */
  withheld?: true
}

/** Versions, times and numbers of logs differ between runs of a set-up. A digit inside a name is part of it. */
const volatile = /(?<![A-Za-z_-])\d[\w.:-]*/g

/** Equal for the same cause in two checks or on two trees. */
export const causeOf = ({ kind, subject }: CannotRun): string =>
  `cannot-run:${kind}:${kind === 'setup' ? subject.replaceAll(volatile, 'N') : subject}`
