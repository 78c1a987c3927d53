/**
 * Runs one check and turns its output into evidence: how it ended, how many tests ran, and a fingerprint of its
 * failure.
 */
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CannotRun } from '../model/cannot-run.ts'
import { LooperError } from '../model/error.ts'
import { commandLine, type CheckOutcome, type CheckWork } from '../model/work.ts'
import { runApart } from '../platform/run-apart.ts'
import type { ProcessResult } from '../platform/run-process.ts'
import { deniedHint } from '../platform/sandbox/denied-hint.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import { stayInside } from '../platform/stay-inside.ts'
import { plainBlock } from '../views/text/plain-text.ts'
import { withheldHint } from '../views/facts/withheld-hint.ts'
import { cannotRun } from './cannot-run.ts'
import { declaresPackage } from './declared-packages.ts'
import { checkEnvironment } from './environment.ts'
import { exactFailure } from './exact-failure.ts'
import { executedTests } from './executed-tests.ts'
import { failingTests } from './failing-tests.ts'
import { fingerprint } from './fingerprint.ts'
import { outputEnd } from './output-end.ts'
import { countTests } from './tests-executed.ts'

export interface CheckRun {
  work: CheckWork
  cwd: string
  /** The environment of the check. */
  env: NodeJS.ProcessEnv
  /** Variables that the user has set and the check does not see. A failure that names one gets a line about it. */
  withheld?: readonly string[]
  /** Variables that the configuration sets for the check. */
  own?: readonly string[]
  mark?: string
  /** Absent or null: the check runs with the rights of the user. */
  sandbox?: Sandbox | null
  /** File for the output, readable only by the user. */
  logFile?: string
  /** Replaces secrets in everything that is stored. */
  mask?: (text: string) => string
}

/** Only the end of the output is read and logged, because failures are reported at the end. */
const keepBytes = 4 * 1024 * 1024
const tailChars = 4_000

/**
 * Rejects only when the machine lacks resources (ENVIRONMENT_*), never for what the check does. A check that could not
 * be started has `started: false` and the reason in its tail.
 */
export async function runCheck(run: CheckRun, signal?: AbortSignal): Promise<CheckOutcome> {
  const { work, cwd, mark, mask = (text) => text } = run
  const output = outputEnd(keepBytes)
  const result = await runApart({
    argv: argvOf(work.run),
    cwd,
    env: { ...checkEnvironment(run.env), ...stayInside(cwd) },
    mark,
    signal,
    sandbox: run.sandbox,
    tagged: true,
    ownHome: true,
    kept: run.own,
    timeoutMs: work.timeoutMs,
    keepBytes: tailChars,
    onOutput: output.push,
  }).catch(notStarted)
  const text = mask(plainBlock(result.started ? output.text() : whyNot(result, cwd)))
  const { exitCode, durationMs, timedOut, started } = result
  const hints =
    exitCode === 0
      ? []
      : [withheldHint(text, run.withheld ?? [], 'checks[].pass'), run.sandbox ? deniedHint(text, cwd) : null].filter(
          (hint) => hint !== null,
        )
  const shown = hints.length === 0 ? text : `${text.trimEnd()}\n${hints.join('\n')}\n`
  if (run.logFile !== undefined) await writeLog(run.logFile, shown)
  const reported = timedOut ? null : failingTests(text, exitCode, cwd)
  const missing = cannotRun({
    exitCode,
    started,
    timedOut,
    text,
    cwd,
    command: commandLine(work.run),
    declares: (module) => declaresPackage(cwd, module),
    isSet: (name) => run.env[name] !== undefined,
  })
  return {
    kind: 'check',
    exitCode,
    durationMs,
    timedOut,
    started,
    tests: countTests(text),
    tail: lastChars(shown.trimEnd()),
    fingerprint: failurePrint(work, result, text, cwd),
    ...(exitCode === 0 ? {} : { exact: exactFailure(text, reported?.failing, cwd) }),
    ...(missing ? { cannotRun: withWithheld(missing, run.withheld) } : {}),
    ...(work.names ? executedIn(text, cwd) : {}),
    ...(reported ? { failing: reported.failing } : {}),
    ...(reported?.passing ? { passing: reported.passing } : {}),
  }
}

const withWithheld = (cause: CannotRun, withheld: readonly string[] = []): CannotRun =>
  cause.kind === 'variable' && withheld.includes(cause.subject) ? { ...cause, withheld: true } : cause

/** A longer list is dropped, because the journal stores it. */
const mostNames = 2_000

function executedIn(text: string, cwd: string): { executed?: string[] } {
  const names = executedTests(text, cwd)
  return names === null || names.length > mostNames ? {} : { executed: names }
}

/** A shell command gets both streams merged, so that lines keep the order in which they were written. */
function argvOf(run: CheckWork['run']): [string, ...string[]] {
  if ('shell' in run) return ['sh', '-c', `exec 2>&1\n${run.shell}`]
  const [program = '', ...args] = run.argv
  return [program, ...args]
}

/**
 * Handles arguments that no process can have: an empty list, a NUL. A lack of resources is rethrown, because it says
 * nothing about the work.
 */
function notStarted(error: unknown): ProcessResult {
  if (error instanceof LooperError) throw error
  return {
    exitCode: null,
    started: false,
    stdout: '',
    stderr: String(error),
    timedOut: false,
    aborted: false,
    durationMs: 0,
  }
}

/** The system reports a missing folder like a missing program. */
const whyNot = ({ stderr }: ProcessResult, cwd: string): string =>
  existsSync(cwd) ? stderr : `the folder ${cwd} does not exist`

/** A check that timed out or printed nothing has no failure to read, so its name is the fingerprint. */
function failurePrint(
  { name }: CheckWork,
  { exitCode, timedOut }: ProcessResult,
  text: string,
  cwd: string,
): string | null {
  if (timedOut) return fingerprint(`${name} timed out`)
  if (exitCode === 0) return null
  return fingerprint(text.trim() === '' ? `${name} failed without a word` : text, cwd)
}

/** The log is optional: the evidence is in the outcome, and the journal reports a full disk. */
async function writeLog(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await rm(path, { force: true })
    await writeFile(path, text, { mode: 0o600, flag: 'wx' })
  } catch {
    // The log is optional.
  }
}

/** Never starts with half of a surrogate pair. */
const lastChars = (text: string): string =>
  text.length <= tailChars ? text : text.slice(-tailChars).replace(/^[\uDC00-\uDFFF]/, '')
