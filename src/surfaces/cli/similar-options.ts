/** Finds the options that a mistyped one may mean. */
import { editDistance } from '../../views/text/nearest.ts'
import type { Option } from './option.ts'

const mostEdits = 3
const leastAlike = 0.4

/** All that are equally close; empty for a short option. */
export function similarOptions(word: string, options: readonly Option[]): string[] {
  if (!word.startsWith('--')) return []
  const wanted = word.slice(2)
  const candidates = options
    .filter(({ hidden }) => hidden !== true)
    .flatMap(({ names }) => names.filter((name) => name.startsWith('--')))
    .map((name) => ({ name, edits: editDistance(wanted, name.slice(2)) }))
    .filter(({ name, edits }) => {
      const length = Math.max(wanted.length, name.length - 2)
      return edits <= mostEdits && (length - edits) / length > leastAlike
    })
  const fewest = Math.min(...candidates.map(({ edits }) => edits))
  return candidates
    .filter(({ edits }) => edits === fewest)
    .map(({ name }) => name)
    .toSorted((a, b) => a.localeCompare(b))
}
