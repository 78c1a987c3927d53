/**
 * Tells a check that cannot run from one that fails: the environment lacks a program, a package, a file or a port, or
 * there is nothing to run. A failed assertion beside it means that the check runs and fails.
 */
import type { CannotRun } from '../model/cannot-run.ts'
import { cannotRunRules, noTests, shellLines, type CannotRunRule } from './cannot-run-rules.ts'
import { failingTests } from './failing-tests.ts'
import { countTests } from './tests-executed.ts'

export interface EndedCheck {
  exitCode: number | null
  started: boolean
  timedOut: boolean
  /** The whole output, or its end. */
  text: string
  /** The command line, or the program and its arguments. */
  command: string
  cwd?: string
  /** Whether the project declares this Python package. Absent: every missing module is a package. */
  declares?: (module: string) => boolean
  /** Whether the check sees this variable. Absent: it sees none. */
  isSet?: (variable: string) => boolean
}

const longestLine = 300

/** Null when the check passed, or ran and failed. */
export function cannotRun(check: EndedCheck): CannotRun | null {
  const { exitCode, started, timedOut, text, command } = check
  const lines = text.split('\n').map((line) => line.trimEnd().slice(0, longestLine))
  if (timedOut) return null
  if (!started) return { kind: 'program', subject: programIn(command), line: lastOf(lines) }
  if (exitCode === null) return null
  if (exitCode === 0) return countTests(text) === 0 ? { kind: 'no-tests', subject: 'tests', line: lastOf(lines) } : null
  if (hasFailedTest(check, lines)) return null
  return (
    missingProgram(check, lines) ?? ruledOut(check, lines) ?? withoutTests(check, lines) ?? unnamedProgram(check, lines)
  )
}

/** Lines that only a test or a compiler prints that has run. */
const assertion = new RegExp(
  [
    '\\bAssertionError\\b',
    '\\bassertion (?:`.*` )?failed\\b',
    '^E\\s+assert\\b',
    '^\\s*Failure/Error:',
    '^Failed asserting that\\b',
    '^--- FAIL: ',
    '^thread .* panicked at',
    '^\\s*(?:Expected|expected)(?: value)?: ',
    '\\bexpect\\(.*\\)\\.\\w+',
    '\\berror TS\\d+:',
  ].join('|'),
)

/** Whether a test passed or an assertion failed: then tests ran, and the failure is theirs. */
function hasFailedTest({ text, exitCode, cwd = '' }: EndedCheck, lines: readonly string[]): boolean {
  if (lines.some((line) => assertion.test(line))) return true
  // The programs after a green test run are missing, if any.
  if (exitCode === 126 || exitCode === 127) return false
  return (failingTests(text, exitCode, cwd)?.passing ?? 0) > 0
}

function missingProgram({ exitCode }: EndedCheck, lines: readonly string[]): CannotRun | null {
  for (const line of lines.toReversed()) {
    const subject = shellLines.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined)
    // A script may handle a missing program itself. Only at its end is it the cause.
    if (subject !== undefined && (exitCode === 126 || exitCode === 127 || isEnd(line, lines)))
      return { kind: 'program', subject, line: line.trim() }
  }
  return null
}

/** The exit codes of a shell for a program that is missing or not executable. */
function unnamedProgram({ exitCode, command }: EndedCheck, lines: readonly string[]): CannotRun | null {
  return exitCode === 126 || exitCode === 127
    ? { kind: 'program', subject: programIn(command), line: lastOf(lines) }
    : null
}

const endLines = 3

const isEnd = (line: string, lines: readonly string[]): boolean =>
  lines
    .filter(
      (each) =>
        each.trim() !== ''
        && !/^(?:npm (?:error|ERR!)|make(?:\[\d+\])?: \*\*\*|error Command failed)/.test(each.trim()),
    )
    .slice(-endLines)
    .includes(line)

function ruledOut(check: EndedCheck, lines: readonly string[]): CannotRun | null {
  for (const rule of cannotRunRules) {
    if (rule.beside && !lines.some((line) => rule.beside?.test(line))) continue
    for (const line of lines) {
      const match = rule.pattern.exec(line.trim())
      const subject =
        match
        && subjectOf(
          rule,
          match.slice(1).find((group) => group !== undefined),
          check,
        )
      if (subject) return { kind: rule.kind, subject, line: line.trim() }
    }
  }
  return null
}

/** Null when the module is a file of the project, or the variable is set. */
function subjectOf(rule: CannotRunRule, named: string | undefined, { declares, isSet }: EndedCheck): string | null {
  const name = named ?? rule.subject ?? ''
  if (rule.kind === 'variable' && isSet?.(name)) return null
  switch (rule.isModule) {
    case undefined:
      return name
    case 'node':
      return nodePackage(name)
    case 'python':
      return declares === undefined || declares(name) ? name : null
    case 'ruby':
      return /^\.{0,2}\//.test(name) ? null : name
  }
}

/** The package of a bare specifier or of a path in `node_modules`; null for a file of the project or an alias. */
function nodePackage(specifier: string): string | null {
  const installed = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(specifier)?.[1]
  if (installed !== undefined) return installed
  return /^((?:@[\w.~-]+\/)?[a-z0-9_][\w.~-]*)(?:\/.*)?$/i.exec(specifier.replace(/^node:.*/, ''))?.[1] ?? null
}

function withoutTests({ exitCode, text }: EndedCheck, lines: readonly string[]): CannotRun | null {
  if ((countTests(text) ?? 0) > 0) return null
  const line = lines.find((each) => noTests.test(each.trim()))
  if (line !== undefined) return { kind: 'no-tests', subject: 'tests', line: line.trim() }
  const isPytest =
    exitCode === 5 && lines.some((each) => /^collected 0 items|\bno tests (?:ran|collected)\b/.test(each))
  return isPytest ? { kind: 'no-tests', subject: 'tests', line: lastOf(lines) } : null
}

const lastOf = (lines: readonly string[]): string => lines.findLast((line) => line.trim() !== '')?.trim() ?? ''

/** The first word of the command that is not a variable or `exec`. */
export const programIn = (command: string): string =>
  command
    .trim()
    .split(/\s+/)
    .find((word) => word !== 'exec' && !/^\w+=/.test(word)) ?? command
