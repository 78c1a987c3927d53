/** The newest run of a session, by the session's name. */
import { slugOf } from '../../model/run-id.ts'
import type { RunState } from '../../model/state.ts'
import { readRun } from './read-run.ts'
import { runsOf } from './runs.ts'

export interface SessionRun {
  id: string
  state: RunState
  live: boolean
}

/** A valid session name; its slug is part of the ids of its runs. */
const named = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/

export const isSessionName = (name: string): boolean => named.test(name)

/** Null when there is none. */
export async function findNamedSession(root: string, session: string): Promise<SessionRun | null> {
  const slug = slugOf(session)
  for (const id of (await runsOf(root).list()).toReversed().filter((each) => each.endsWith(`-${slug}`))) {
    const run = await readRun(root, id).catch(() => null)
    if (run?.state.session === session) return { id, state: run.state, live: run.live }
  }
  return null
}
