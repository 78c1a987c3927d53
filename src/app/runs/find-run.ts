/** Finds a run by the name that the user typed. */
import { LooperError } from '../../model/error.ts'
import { findNamedSession, isSessionName } from './find-named-session.ts'
import { runsOf } from './runs.ts'

/**
 * Null means the newest run. Otherwise an id, its number, a session (its newest run), or words of an id ("the auth
 * one").
 */
export async function findRunId(root: string, name: string | null): Promise<string> {
  const ids = await runsOf(root).list()
  const newest = ids.at(-1)
  if (newest === undefined) throw (await findLost(root, name, [])) ?? noRunYet()
  if (name === null || name === 'last') return newest
  const exact = ids.find((id) => id === name) ?? ids.find((id) => isNumber(id, name))
  if (exact !== undefined) return exact
  const session = isSessionName(name) ? await findNamedSession(root, name) : null
  if (session) return session.id
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const similar =
    words.length === 0
      ? []
      : ids.filter((id) => words.every((word) => id.split('-').some((part) => part.startsWith(word))))
  const [only, ...others] = similar
  if (only === undefined)
    throw (
      (await findLost(root, name, ids)) ?? new LooperError('USAGE_NO_RUN', `There is no run ${JSON.stringify(name)}.`)
    )
  if (others.length === 0) return only
  throw new LooperError('USAGE_NO_RUN', `${JSON.stringify(name)} could be ${similar.slice(0, 5).join(', ')}.`, {
    hint: 'Name one of them.',
  })
}

const isNumber = (id: string, name: string): boolean =>
  /^\d+$/.test(name) && Number.parseInt(id, 10) === Number.parseInt(name, 10)

const noRunYet = (): LooperError =>
  new LooperError('USAGE_NO_RUN', 'There is no run in this repository yet.', { hint: 'Start one: looper run "<goal>"' })

/** The error for a run that has no folder any more. Loaded on demand: it asks git. */
async function findLost(root: string, name: string | null, ids: readonly string[]): Promise<LooperError | null> {
  const { findLostRuns, lostError } = await import('./lost-runs.ts')
  const lost = await findLostRuns(root, ids)
  const found =
    name === null || name === 'last' ? lost.at(-1) : lost.find(({ id }) => id === name || isNumber(id, name))
  return found === undefined ? null : lostError(found)
}
