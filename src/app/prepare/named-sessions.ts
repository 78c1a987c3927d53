/** Named sessions: checks the earlier run of a session before a new one starts. */
import { LooperError } from '../../model/error.ts'
import { brokenSession } from '../../views/status/session-text.ts'
import { findNamedSession, isSessionName, type SessionRun } from '../runs/find-named-session.ts'
import { rest } from '../runs/rest.ts'
import { sendOrder } from '../control/send-order.ts'

export function checkSessionName(name: string): void {
  if (isSessionName(name)) return
  throw new LooperError('USAGE_ARGUMENTS', `${JSON.stringify(name.slice(0, 60))} is not a valid session name`, {
    hint: 'Use letters, digits, dashes and underscores, at most 40.',
  })
}

/** Throws when the earlier run broke off, so that the user decides whether to resume it or to start again. */
function refuseBroken({ id, state, live }: SessionRun, session: string): void {
  const { status, turns } = state
  // A run without a turn has no work to resume.
  if (turns === 0 || live || status === 'completed' || status === 'aborted' || status === 'new') return
  const { what, lines, next } = brokenSession(state, session)
  throw new LooperError('USAGE_RUN_STATE', what, {
    hint: `${next} (--force starts a new run)`,
    details: { run: id, lines },
  })
}

/** Throws when the earlier run broke off, unless `force` is set. */
export async function refuseBrokenSession(root: string, session: string, force: boolean): Promise<void> {
  checkSessionName(session)
  if (force) return
  const earlier = await findNamedSession(root, session)
  if (earlier) refuseBroken(earlier, session)
}

const stopPatienceMs = 30_000

/** Stops the run and waits until its process releases it. A run that ends by itself meanwhile is fine, too. */
export async function stopRun(root: string, id: string): Promise<void> {
  await sendOrder(root, id, { do: 'stop' }).catch((error: unknown) => {
    if (!(error instanceof LooperError) || error.code !== 'USAGE_RUN_STATE') throw error
  })
  if ((await rest(root, id, stopPatienceMs)) !== null) return
  throw new LooperError('LIMIT_LOCKED', `The run ${id} does not stop.`, { hint: `\`looper status ${id}\` shows it.` })
}
