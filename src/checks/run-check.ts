/**
 * Runs one check and turns what it printed into evidence: how it ended, how many tests ran, and what its failure looks
 * like.
 */
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { CheckOutcome, CheckWork } from '../model/work.ts'
import { runApart } from '../platform/run-apart.ts'
import type { ProcessResult } from '../platform/run-process.ts'
import { deniedHint } from '../platform/sandbox/denied-hint.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import { stayInside } from '../platform/stay-inside.ts'
import { plainBlock } from '../views/plain-text.ts'
import { withheldHint } from '../views/withheld-hint.ts'
import { checkEnvironment } from './environment.ts'
import { executedTests } from './executed-tests.ts'
import { failingTests } from './failing-tests.ts'
import { fingerprint } from './fingerprint.ts'
import { outputEnd } from './output-end.ts'
import { countTests } from './tests-executed.ts'

export interface CheckRun {
  work: CheckWork
  cwd: string
  /** The variables that the check sees. */
  env: NodeJS.ProcessEnv
  /** Variables that the user has and the check does not see. A failure that names one gets a line about it. */
  withheld?: readonly string[]
  /** Variables that the configuration sets for the check. */
  own?: readonly string[]
  mark?: string
  /** Absent or null: it has the rights of the user. */
  sandbox?: Sandbox | null
  /** Where the output goes; nobody else may read it. */
  logFile?: string
  /** Hides secrets in everything that is kept. */
  mask?: (text: string) => string
}

/** How much output is looked at and logged: the end of it, because that is where failures speak. */
const keepBytes = 4 * 1024 * 1024
const tailChars = 4_000

/**
 * Rejects only where the machine has no room for it (ENVIRONMENT_*), never for what the check does. One that could not
 * be started has `started: false` and says why in its tail.
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
  const told = timedOut ? null : failingTests(text, exitCode, cwd)
  return {
    kind: 'check',
    exitCode,
    durationMs,
    timedOut,
    started,
    tests: countTests(text),
    tail: lastChars(shown.trimEnd()),
    fingerprint: failurePrint(work, result, text, cwd),
    ...(work.names ? executedIn(text, cwd) : {}),
    ...(told ? { failing: told.failing } : {}),
    ...(told?.passing ? { passing: told.passing } : {}),
  }
}

/** A list that is too long is left out: the journal keeps it. */
const mostNames = 2_000

function executedIn(text: string, cwd: string): { executed?: string[] } {
  const names = executedTests(text, cwd)
  return names === null || names.length > mostNames ? {} : { executed: names }
}

/** In the shell's case both streams become one, so that lines stay in the order in which they were written. */
function argvOf(run: CheckWork['run']): [string, ...string[]] {
  if ('shell' in run) return ['sh', '-c', `exec 2>&1\n${run.shell}`]
  const [program = '', ...args] = run.argv
  return [program, ...args]
}

/**
 * Arguments that no process can have: none at all, a NUL. A machine without room for the check says nothing about the
 * work.
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

/** A missing folder looks like a missing program to the system. */
const whyNot = ({ stderr }: ProcessResult, cwd: string): string =>
  existsSync(cwd) ? stderr : `the folder ${cwd} does not exist`

/** A check that timed out or said nothing leaves no failure to read, so it is known by its name. */
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

/** The log is a convenience: the evidence is in the outcome, and a full disk is the journal's to report. */
async function writeLog(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await rm(path, { force: true })
    await writeFile(path, text, { mode: 0o600, flag: 'wx' })
  } catch {
    // Told above.
  }
}

/** Never begins with half a character. */
const lastChars = (text: string): string =>
  text.length <= tailChars ? text : text.slice(-tailChars).replace(/^[\uDC00-\uDFFF]/, '')
