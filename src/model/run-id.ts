/** The ids of runs: a number and a few words of the goal, such as `007-rate-limit-api`. */

const pattern = /^\d{3,}-[a-z0-9-]+$/
const slugLength = 40
const mostWords = 5
const fillers = new Set(
  'a an and are as at be by for from in into is it its of on or so that the this to with please should'.split(' '),
)

export const isRunId = (name: string): boolean => pattern.test(name)

/** The number of a run; NaN for a name without one. */
export const runNumber = (name: string): number => Number.parseInt(name, 10)

/** Oldest first. */
export const sortRunIds = (ids: readonly string[]): string[] => ids.toSorted((a, b) => runNumber(a) - runNumber(b))

/** Up to five significant words of the goal, at most 40 characters. */
export function slugOf(goal: string): string {
  const words =
    goal
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .match(/[a-z0-9]+/g) ?? []
  const distinctive = words.filter((word) => !fillers.has(word))
  const slug = (distinctive.length > 0 ? distinctive : words)
    .slice(0, mostWords)
    .join('-')
    .slice(0, slugLength)
    .replace(/-+$/, '')
  return slug === '' ? 'goal' : slug
}

/** An id whose number is higher than those of all names in `taken`. */
export function nextRunId(goal: string, taken: readonly string[]): string {
  const numbers = taken.map(runNumber).filter(Number.isFinite)
  return `${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}-${slugOf(goal)}`
}
