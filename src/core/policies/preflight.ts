/**
 * The preflight: whether the checks on the base allow the first coder to start. A check that cannot run stops every
 * run; red checks stop it when none is left that can prove anything.
 */
import type { CannotRun } from '../../model/cannot-run.ts'
import type { BaselineCheck } from '../../model/convergence.ts'
import type { PauseReason } from '../../model/pause.ts'
import { resumeAfter } from '../../model/resume-hint.ts'
import type { RunState } from '../../model/state.ts'
import { checksFor } from './checks.ts'
import { remediesFor, remediesForRed } from './remedies.ts'
import { repairRequest } from './repair-request.ts'
import { failureLines } from '../../model/failure-lines.ts'

/** Why the run must not start its first coder; null when it may. */
export function obstacle(state: RunState): PauseReason | null {
  const { baseline, config } = state
  const policy = config.baseline ?? 'off'
  if (baseline === null || policy === 'off') return null
  const red = baseline.checks.filter(({ passed }) => !passed)
  const unable = red.find((check) => check.cannotRun !== undefined)
  if (unable?.cannotRun) return unableToRun(state, unable, unable.cannotRun)
  if (policy !== 'pause' || red.length === 0 || baseline.checks.some((check) => mayProve(state, check))) return null
  return onlyRed(state, red)
}

const condition = /(?:^|[;&|]\s*)(?:! *)?(?:test|\[{1,2}|e?grep|cmp|diff|stat|ls)\s[^;&|]*$/
const complaint = /\|\|\s*(?:\{.*\}|\(.*\))\s*$/

/** The last command of a line, before what it prints on failure, is a condition that the work is to meet. */
export const endsInCondition = (command: string): boolean => condition.test(command.replace(complaint, '').trimEnd())

/**
 * A green check proves, and so does one with passing tests beside the failed ones. A condition, or a check that the
 * goal asks to repair, proves the work when it turns green.
 */
function mayProve(state: RunState, check: BaselineCheck): boolean {
  const { config, goal } = state
  const { passed, failing, passing = 0 } = check
  if (passed || ((failing ?? []).length > 0 && passing > 0)) return true
  if (endsInCondition(commandOf(state, check.check))) return true
  const planned = checksFor({ config }, null).find(({ name }) => name === check.check)
  return planned !== undefined && repairRequest(planned)(goal)
}

const commandOf = ({ config }: RunState, name: string): string =>
  config.checks.find((check) => check.name === name)?.run ?? name

const shown = (state: RunState, name: string): string => {
  const command = commandOf(state, name)
  return command === name ? `\`${name}\`` : `${name} (\`${command}\`)`
}

/** One line that names the missing thing. */
const causeText: Record<CannotRun['kind'], (subject: string, line: string) => string> = {
  program: (subject) => `the program ${subject} is not installed or not executable`,
  module: (subject) => `the package ${subject} is not installed`,
  target: (subject, line) => `the project has no ${targetKind(subject, line)}${subject}`,
  'env-file': (subject) => `the file ${subject} is missing`,
  variable: (subject) => `the environment variable ${subject} is not set`,
  'no-tests': () => 'it finds no tests',
  port: (subject) => `${subject === 'a port' ? 'a port' : `port ${subject}`} is already in use`,
  network: (subject) => `${subject} cannot be reached`,
  setup: (subject) => `the set-up fails: ${subject}`,
}

export const causeLine = ({ kind, subject, line }: CannotRun): string => causeText[kind](subject, line)

/** The word of the tool before the name: `target`, `script`, `recipe` … A file has none. */
function targetKind(subject: string, line: string): string {
  const before = line.slice(0, Math.max(0, line.indexOf(subject)))
  const [, kind] = /\b(target|script|recipe|task|environment|command)s?(?: named)?:? *["'`‘]?$/i.exec(before) ?? []
  return kind === undefined ? '' : `${kind.toLowerCase()} `
}

function unableToRun(state: RunState, { check, tail = '' }: BaselineCheck, cause: CannotRun): PauseReason {
  const remedies = remediesFor(state, check, commandOf(state, check), cause)
  return {
    kind: 'setup',
    detail: `the check ${shown(state, check)} cannot run: ${causeLine(cause)}`,
    ...resumeAfter(remedies[0]?.text ?? 'Fix it'),
    preflight: 'cannot-run',
    output: lastLines(tail || cause.line),
    remedies,
  }
}

function onlyRed(state: RunState, red: readonly BaselineCheck[]): PauseReason {
  const names = red.map(({ check }) => shown(state, check)).join(', ')
  const [isOne, [first]] = [red.length === 1, red]
  return {
    kind: 'setup',
    detail: `${names} ${isOne ? 'fails' : 'fail'} before any change, and no other check can prove the work`,
    ...resumeAfter('Choose what to do with it'),
    preflight: 'red',
    output: lastLines(first?.tail ?? ''),
    remedies: remediesForRed(state.config, red, { mayRepair: state.pipeline === null }),
  }
}

const mostLines = 12

export const lastLines = (text: string, most = mostLines): string => failureLines(text, most)
