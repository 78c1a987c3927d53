/** A check that has ended, and what is said of its output. */
import { cannotRun, type EndedCheck } from '../../src/checks/cannot-run.ts'

/** Name, exit code and output of a check, and the kind and subject that it lacks. */
export type Row = [name: string, exitCode: number, text: string, expected: [kind: string, subject: string] | null]

export const ended = (exitCode: number | null, text: string, rest: Partial<EndedCheck> = {}): EndedCheck => ({
  exitCode,
  started: true,
  timedOut: false,
  text,
  command: 'npm test',
  cwd: '/w',
  ...rest,
})

export const judged = (exitCode: number | null, text: string, rest?: Partial<EndedCheck>): [string, string] | null => {
  const found = cannotRun(ended(exitCode, text, rest))
  return found && [found.kind, found.subject]
}
