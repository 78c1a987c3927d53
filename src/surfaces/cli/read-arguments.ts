/**
 * The one reader of argv: separates options and their values from other words. Finding the command, parsing and
 * completion all read with it. `-n 5`, `-n5`, `-fn5`, `--lines 5` and `--lines=5` are the same; after `--` nothing is
 * an option.
 */

/** What the reader must know of an option. */
export interface Flag {
  /** `-n` and `--lines`. */
  names: readonly string[]
  /**
   * Absent when the option takes no value. `maybe`: the next word, unless that is an option. `several`: all words up to
   * the next option, at least one.
   */
  takes?: 'value' | 'maybe' | 'several'
}

export interface Given<F> {
  flag: F
  /** Null when the option was given without a value. */
  value: string | null
}

export interface Reading<F> {
  given: Given<F>[]
  /** The words that are neither options nor their values. */
  words: string[]
  /** Words that look like an option and are none of the flags. */
  unknown: string[]
  /** The option that would take the next word as a value. */
  open: F | null
  /** The last option lacks its value; it is not in `given`. */
  isMissing: boolean
  /** `--` was read: the next word cannot be an option. */
  isEnded: boolean
}

export function readArguments<F extends Flag>(flags: readonly F[], argv: readonly string[]): Reading<F> {
  const reading: Reading<F> = { given: [], words: [], unknown: [], open: null, isMissing: false, isEnded: false }
  let left = argv
  while (left.length > 0) {
    const [word = '', ...more] = left
    const taken = takeOption(flags, left)
    left = taken?.left ?? more
    if (taken !== null) {
      if (!taken.isMissing) reading.given.push(taken)
      reading.isMissing = taken.isMissing
      reading.open = taken.isOpen ? taken.flag : null
    } else if (word === '--') {
      return { ...reading, words: [...reading.words, ...more], open: null, isEnded: true }
    } else if (isOption(word)) {
      reading.unknown.push(word)
      reading.open = null
    } else if (reading.open === null) reading.words.push(word)
    else reading.given.push({ flag: reading.open, value: word })
  }
  return reading
}

export interface Taken<F> extends Given<F> {
  /** The words after the option and its value. */
  left: readonly string[]
  isOpen: boolean
  isMissing: boolean
}

/** Reads the option that the words begin with; null when they begin with none of the flags. */
export function takeOption<F extends Flag>(
  flags: readonly F[],
  [word = '', ...left]: readonly string[],
): Taken<F> | null {
  const named = (name: string): F | undefined => flags.find(({ names }) => names.includes(name))
  const exact = named(word)
  if (exact !== undefined) return takeValue(exact, left)
  const [name, value] = word.startsWith('--') ? splitValue(word) : [word.slice(0, 2), word.slice(2)]
  const flag = named(name)
  if (flag === undefined) return null
  const taken = { flag, left, isOpen: false, isMissing: false }
  if (flag.takes !== undefined) return { ...taken, value }
  // Of several letters after one dash, the rest are options of their own.
  return word.startsWith('--') ? null : { ...taken, value: null, left: [`-${value}`, ...left] }
}

function takeValue<F extends Flag>(flag: F, left: readonly string[]): Taken<F> {
  const [next, ...more] = left
  const takesNext = flag.takes === 'maybe' ? next !== undefined && !isOption(next) : flag.takes !== undefined
  if (!takesNext) return { flag, value: null, left, isOpen: flag.takes !== undefined, isMissing: false }
  if (next === undefined) return { flag, value: null, left, isOpen: true, isMissing: true }
  return { flag, value: next, left: more, isOpen: flag.takes === 'several', isMissing: false }
}

/** Splits `--name=value`; the value is null when there is no equals sign. */
export function splitValue(word: string): [name: string, value: string | null] {
  const at = word.indexOf('=')
  return at < 0 ? [word, null] : [word.slice(0, at), word.slice(at + 1)]
}

/** `-` stands for stdin, and a negative number is a value. */
const isOption = (word: string): boolean => word.startsWith('-') && word !== '-' && !negativeNumber.test(word)
const negativeNumber = /^-(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/
