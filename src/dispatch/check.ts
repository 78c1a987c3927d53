/** One check: a child of this engine, never adopted, and nothing that it started outlives it. */
import { existsSync } from 'node:fs'
import { boundedText } from '../agents/bounded-text.ts'
import type { CheckRequest, DispatchState } from '../model/ports.ts'
import { noUsage } from '../model/usage.ts'
import type { CheckOutcome, FailureOutcome } from '../model/work.ts'
import { markOf } from '../platform/mark.ts'
import { endMarked } from '../platform/sweep.ts'
import { cancelled, createJob, type Job } from './job.ts'
import { shortage } from './shortage.ts'
import type { TurnSetting } from './turn.ts'

/** Runs a check as a child that carries `mark`; never rejects for what the check itself does. */
export type RunCheck = (request: CheckRequest & { mark: string }, signal: AbortSignal) => Promise<CheckOutcome>

export function startCheck(setting: Pick<TurnSetting, 'key' | 'hint' | 'timings'>, request: CheckRequest, runCheck: RunCheck): Job {
  const job = createJob(request.starts, () => setting.hint())
  const abort = new AbortController()
  const mark = markOf(setting.key, request.work.id, request.starts)
  const sweep = (): Promise<number> => endMarked(mark, { only: (found) => found === mark, graceMs: setting.timings.sweepGraceMs })
  const stop = (): void => {
    abort.abort()
    // Its children may hold its output open, and with that its end back.
    void sweep()
  }
  job.attach({ usage: () => ({ ...noUsage }), stop, close: () => {} })
  const perform = async (): Promise<DispatchState> => {
    const outcome = await runCheck({ ...request, mark }, abort.signal).catch(notRun)
    await sweep()
    if (abort.signal.aborted) return cancelled
    const isGone = outcome.kind === 'check' && !outcome.started && !existsSync(request.cwd)
    if (isGone) return { state: 'lost', why: `the workspace ${request.cwd} is gone` }
    return { state: 'done', outcome }
  }
  void perform().then((state) => job.settle(state))
  return job
}

/** A check that could not even be tried did not pass, unless the machine had no room for it. */
const notRun = (error: unknown): CheckOutcome | FailureOutcome => shortage(error) ?? {
  kind: 'check', exitCode: null, durationMs: 0, timedOut: false, started: false, tests: null, fingerprint: null,
  tail: boundedText(error instanceof Error ? error.message : String(error)),
}
