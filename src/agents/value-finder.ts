/**
 * Finds many values in a text in one pass. It looks up three characters at a time in a table (the Wu-Manber algorithm),
 * so the time depends on the length of the text and hardly on the number of values.
 */

export interface Sought {
  name: string
  value: string
  /** Ignores line breaks between the characters of the text. */
  wraps?: boolean
}

export interface Found {
  name: string
  start: number
  end: number
}

export interface Finder {
  /** The first occurrence at or after `from`; the longest one at that position. */
  next(text: string, from: number): Found | null
  /** Whether there are no values to find. */
  readonly isEmpty: boolean
  /** The most characters that one occurrence can cover. */
  readonly reach: number
}

const block = 3
/** Leading characters of a value that must not be separated by a line break. */
export const mostWindow = 6
const slots = 1 << 16

export function createFinder(sought: readonly Sought[]): Finder {
  const values = sought.filter(({ value }) => value.length >= block).toSorted((a, b) => b.value.length - a.value.length)
  const window = Math.min(mostWindow, values.at(-1)?.value.length ?? mostWindow)
  const jumps = new Uint8Array(slots).fill(window - block + 1)
  const candidates = new Map<number, Sought[]>()
  for (const each of values) {
    for (let at = 0; at <= window - block; at++) {
      const slot = slotOf(each.value, at)
      jumps[slot] = Math.min(jumps[slot] ?? 0, window - block - at)
    }
    const last = slotOf(each.value, window - block)
    candidates.set(last, [...(candidates.get(last) ?? []), each])
  }

  const next = (text: string, from: number): Found | null => {
    for (let start = from; start + window <= text.length;) {
      const slot = slotOf(text, start + window - block)
      const step = jumps[slot] ?? 1
      if (step > 0) {
        start += step
        continue
      }
      const found = longest(candidates.get(slot) ?? [], text, start)
      if (found !== null) return found
      start++
    }
    return null
  }
  const most = values[0]?.value.length ?? 0
  const isEmpty = values.length === 0
  return { next: isEmpty ? () => null : next, isEmpty, reach: most + Math.ceil(most / charsPerBreak) * maxBreak }
}

const slotOf = (text: string, at: number): number =>
  (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 5) ^ (text.charCodeAt(at + 2) << 10)) & (slots - 1)

function longest(candidates: readonly Sought[], text: string, start: number): Found | null {
  let best: Found | null = null
  for (const { name, value, wraps } of candidates) {
    const end = wraps ? wrappedEnd(value, text, start) : text.startsWith(value, start) ? start + value.length : null
    if (end !== null && (best === null || end > best.end)) best = { name, start, end }
  }
  return best
}

/** Most characters of one line break: an escaped one with some indentation. A line has at least a few characters. */
const maxBreak = 12
const charsPerBreak = 4

function wrappedEnd(value: string, text: string, start: number): number | null {
  let at = start
  let sinceBreak = 0
  for (let index = 0; index < value.length; index++) {
    if (text[at] !== value[index]) {
      const after = sinceBreak >= charsPerBreak ? afterBreak(text, at) : at
      if (after === at || text[after] !== value[index]) return null
      at = after
      sinceBreak = 0
    }
    at++
    sinceBreak++
  }
  return at
}

const lineBreak = /(?:\r?\n|(?:\\r)?\\n)[ \t]{0,8}/y

function afterBreak(text: string, at: number): number {
  lineBreak.lastIndex = at
  return lineBreak.test(text) ? lineBreak.lastIndex : at
}
