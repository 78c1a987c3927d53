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
  if (newest === undefined)
    throw new LooperError('USAGE_NO_RUN', 'There is no run in this repository yet.', {
      hint: 'Start one: looper run "<goal>"',
    })
  if (name === null || name === 'last') return newest
  const exact =
    ids.find((id) => id === name)
    ?? ids.find((id) => /^\d+$/.test(name) && Number.parseInt(id, 10) === Number.parseInt(name, 10))
  if (exact !== undefined) return exact
  const session = isSessionName(name) ? await findNamedSession(root, name) : null
  if (session) return session.id
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const similar =
    words.length === 0
      ? []
      : ids.filter((id) => words.every((word) => id.split('-').some((part) => part.startsWith(word))))
  const [only, ...others] = similar
  if (only === undefined) throw new LooperError('USAGE_NO_RUN', `There is no run ${JSON.stringify(name)}.`)
  if (others.length === 0) return only
  throw new LooperError('USAGE_NO_RUN', `${JSON.stringify(name)} could be ${similar.slice(0, 5).join(', ')}.`, {
    hint: 'Name one of them.',
  })
}
