/** Named sessions: what a new run of one has to know of the run before it. */
import { LooperError } from '../model/error.ts'
import { brokenSession } from '../views/session-text.ts'
import { findSession, isSessionName, type SessionRun } from './find-session.ts'
import { rest } from './rest.ts'
import { tell } from './tell.ts'

export function checkSessionName(name: string): void {
  if (isSessionName(name)) return
  throw new LooperError('USAGE_ARGUMENTS', `${JSON.stringify(name.slice(0, 60))} cannot name a session`, {
    hint: 'Use letters, digits, dashes and underscores, at most 40.',
  })
}

/** Whoever starts a session again after it broke off should know, and say whether to go on or to start anew. */
function refuseBroken({ id, state, live }: SessionRun, session: string): void {
  const { status, turns } = state
  // Of one that nobody has worked in there is nothing to go on with.
  if (turns === 0 || live || status === 'completed' || status === 'aborted' || status === 'new') return
  const { what, lines, next } = brokenSession(state, session)
  throw new LooperError('USAGE_RUN_STATE', what, { hint: `${next} (--force starts anew)`, details: { run: id, lines } })
}

/** Throws when the run before broke off and nobody said what to do about it. */
export async function refuseBrokenSession(root: string, session: string, force: boolean): Promise<void> {
  checkSessionName(session)
  if (force) return
  const earlier = await findSession(root, session)
  if (earlier) refuseBroken(earlier, session)
}

const stopPatienceMs = 30_000

/** Asks the run to stop, and waits until its process has let go of it. One that ends by itself meanwhile is as good. */
export async function stopRun(root: string, id: string): Promise<void> {
  await tell(root, id, { do: 'stop' }).catch((error: unknown) => {
    if (!(error instanceof LooperError) || error.code !== 'USAGE_RUN_STATE') throw error
  })
  if ((await rest(root, id, stopPatienceMs)) !== null) return
  throw new LooperError('LIMIT_LOCKED', `The run ${id} does not stop.`, { hint: `\`looper status ${id}\` shows it.` })
}
