/**
 * Outputs of earlier stages for a prompt: each under a heading, within a size limit, with the path of anything omitted.
 */
import { mostOutputs } from '../../model/loop.ts'
import { plural } from '../text/format.ts'
import { mdFence } from '../text/markdown.ts'
import { plain } from '../text/plain-text.ts'

export interface StageOutput {
  stage: string
  /** The number of the pass, or the task that it did. */
  from: string
  /** The file with the whole output. */
  path: string
  text: string
}

/** Maximum number of characters of all outputs together: about 10,000 tokens. */
export const inputsLimit = 40_000
/**
 * How much of one output the journal keeps. More than is ever shown, so that a cut is noticed and the path of the rest
 * is shown.
 */
const keptLimit = inputsLimit + 24_000

/** The beginning of an output; its file has the whole text. */
export const beginningOf = (text: string): string => cut(text, keptLimit)

/**
 * Empty when there is nothing. Keeps the given order. Short outputs stay whole, and long ones share the rest of the
 * limit.
 */
export function inputsText(outputs: readonly StageOutput[], limit: number = inputsLimit): string {
  const filled = outputs.filter(({ text }) => text.trim() !== '')
  const shown = filled.slice(-mostOutputs)
  const most = shareOf(
    shown.map(({ text }) => text.length),
    limit,
  )
  return [
    ...olderNote(filled.slice(0, filled.length - shown.length)),
    ...shown.map((output) => block(output, most)),
  ].join('\n\n')
}

/** The largest length to which all texts can be cut so that they fit the limit together. */
function shareOf(lengths: readonly number[], limit: number): number {
  let [room, open] = [limit, lengths.length]
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length * open > room) return Math.floor(room / open)
    room -= length
    open -= 1
  }
  return limit
}

function block({ stage, from, path, text }: StageOutput, most: number): string {
  const kept = cut(text, most)
  const note =
    kept.length === text.length
      ? []
      : [`(cut after ${plural(kept.length, 'character')}; the whole is in ${plain(path)})`]
  return [
    `### ${plain(stage)}, ${/^\d+$/.test(from) ? `iteration ${from}` : plain(from)}`,
    mdFence(kept),
    ...note,
  ].join('\n\n')
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')

function olderNote(older: readonly StageOutput[]): string[] {
  const [first, last] = [older[0], older.at(-1)]
  if (first === undefined || last === undefined) return []
  return [`(${plural(older.length, 'older output')} left out: ${plain(first.path)} to ${plain(last.path)})`]
}
