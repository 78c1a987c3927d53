/**
 * Parses the arguments of most calls without commander, which takes longer to load than a reading command takes to run.
 */
import type { Entry } from './catalogue.ts'
import type { GlobalOptions } from './context.ts'

export interface Parsed {
  args: (string | undefined)[]
  options: GlobalOptions
}

/** Null when the arguments are more than plain words and known flags. */
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
