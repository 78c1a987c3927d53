/**
 * Reads the arguments of most calls at once: loading and asking commander takes longer than all that a reading command
 * does.
 */
import type { Entry } from './catalogue.ts'
import type { GlobalOptions } from './context.ts'

export interface Parsed {
  args: (string | undefined)[]
  options: GlobalOptions
}

/** Null when there is more to it than plain words and known flags. */
export function parseQuickly({ quick }: Pick<Entry, 'quick'>, args: readonly string[]): Parsed | null {
  if (quick === undefined) return null
  const words: (string | undefined)[] = args.filter((arg) => !arg.startsWith('-'))
  const flags = args.filter((arg) => arg.startsWith('-'))
  if (
    words.length > quick.words
    || words.length < (quick.needed ?? 0)
    || flags.some((flag) => !quick.flags.includes(flag))
  )
    return null
  while (words.length < quick.words) words.push(undefined)
  return { args: words, options: { color: true, ...Object.fromEntries(flags.map((flag) => [flag.slice(2), true])) } }
}
