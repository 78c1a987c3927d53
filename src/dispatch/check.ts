/** Runs one check as a child of this engine. It is never adopted, and no process that it started outlives it. */
import { existsSync } from 'node:fs'
import { boundedText } from '../agents/bounded-text.ts'
import { LooperError, messageOf } from '../model/error.ts'
import { failureOf } from '../model/failure-outcome.ts'
import type { WorkStatus } from '../model/ports/site.ts'
import type { CheckRequest } from './dispatch.ts'
import { noUsage } from '../model/usage.ts'
import type { CheckOutcome, FailureOutcome } from '../model/work.ts'
import { trackStarted } from '../platform/end-started.ts'
import { markOf } from '../platform/mark.ts'
import type { ConfirmCheck } from './confirm-check.ts'
import { cancelled, createJob, type Job } from './job.ts'
import { shortage } from './shortage.ts'
import type { TurnSetting } from './turn.ts'

/**
 * Runs a check as a child that carries `mark`, and ends every process with that mark before it resolves. Never rejects
 * for what the check itself does.
 */
export type RunCheck = (request: CheckRequest & { mark: string }, signal: AbortSignal) => Promise<CheckOutcome>

export interface CheckMeans {
  runCheck: RunCheck
  /** Absent: every outcome counts. */
  confirm?: ConfirmCheck
}

type CheckSetting = Pick<TurnSetting, 'key' | 'hint' | 'timings' | 'sandbox'>

export function startCheck(setting: CheckSetting, request: CheckRequest, { runCheck, confirm }: CheckMeans): Job {
  const job = createJob(request.starts, () => setting.hint())
  const abort = new AbortController()
  const mark = markOf(setting.key, request.work.id, request.starts)
  const endStarted = trackStarted(mark, { graceMs: setting.timings.sweepGraceMs, isConfined: setting.sandbox !== null })
  const stop = (): void => {
    abort.abort()
    // Its children may keep its output open, which delays its end.
    void endStarted()
  }
  job.attach({ usage: () => ({ ...noUsage }), stop, close: () => {} })
  /** The workspace that was missing at the last run of the command. */
  let gone: string | null = null
  const run = async (cwd: string): Promise<CheckOutcome> => {
    let isStarted = false
    try {
      const outcome = await runCheck({ ...request, cwd, mark }, abort.signal)
      isStarted = outcome.started
      return outcome
    } finally {
      gone = isStarted || existsSync(cwd) ? null : cwd
    }
  }
  const observe = async (): Promise<CheckOutcome> => {
    const outcome = await run(request.cwd)
    return confirm && !abort.signal.aborted ? confirm(request.work, outcome, run) : outcome
  }
  const perform = async (): Promise<WorkStatus> => {
    const outcome = await observe().catch(notRun)
    if (abort.signal.aborted) return cancelled
    // A confirmed check ran in another workspace, and the first one is removed. Only the last workspace counts here.
    if (outcome.kind === 'check' && gone !== null) return { state: 'lost', why: `the workspace ${gone} is gone` }
    return { state: 'done', outcome }
  }
  void perform().then((state) => job.settle(state))
  return job
}

/** A check that could not be started fails, unless the machine lacked resources. */
function notRun(error: unknown): CheckOutcome | FailureOutcome {
  const short = shortage(error)
  if (short) return short
  if (error instanceof LooperError) return failureOf(error)
  return {
    kind: 'check',
    exitCode: null,
    durationMs: 0,
    timedOut: false,
    started: false,
    tests: null,
    fingerprint: null,
    tail: boundedText(messageOf(error)),
  }
}
