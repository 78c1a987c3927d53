/** Builds the context of a turn within a token budget: drops the least important sections first and says which. */
import { mdFence } from '../views/text/markdown.ts'

export interface Section {
  title: string
  /** Looper's own text; never shortened. */
  lead?: string
  /** Material written by agents, tools or people: fenced, and shortened when space is short. */
  body: string
  /** Sections with a higher priority are dropped later. */
  priority: number
  /** Never dropped, and shortened only when the mandatory sections alone exceed the budget. */
  mandatory?: boolean
  /** The smallest useful size; without it, a section is whole or dropped. */
  minTokens?: number
}

export interface Pack {
  text: string
  tokens: number
  leftOut: string[]
  shortened: string[]
}

export const estimateTokens = (text: string): number => Math.ceil(text.length / 4)

/** How a section is shown: null means dropped, a number is the most characters of its body. */
type Room = Map<Section, number | null>

export function pack(sections: readonly Section[], budgetTokens: number): Pack {
  const room: Room = new Map()
  let packed = compose(sections, room)
  for (const section of leastImportantFirst(sections)) {
    if (packed.tokens <= budgetTokens) return packed
    giveWay(sections, section, room, budgetTokens)
    packed = compose(sections, room)
  }
  return packed.tokens <= budgetTokens ? packed : squeezed(sections, room, budgetTokens)
}

const leastImportantFirst = (sections: readonly Section[]): Section[] =>
  sections
    .filter(({ mandatory }) => mandatory !== true)
    .toReversed()
    .toSorted((a, b) => a.priority - b.priority)

/** Shortens a section as far as needed, but not below its minimum; otherwise drops it. */
function giveWay(sections: readonly Section[], section: Section, room: Room, budgetTokens: number): void {
  const least = (section.minTokens ?? Number.POSITIVE_INFINITY) * 4
  if (least < section.body.length) {
    const fits = (chars: number): boolean => compose(sections, new Map(room).set(section, chars)).tokens <= budgetTokens
    if (fits(least)) {
      room.set(section, largest(least, section.body.length, fits))
      return
    }
  }
  room.set(section, null)
}

/** Mandatory sections share the space: the longest ones lose their middle first. */
function squeezed(sections: readonly Section[], room: Room, budgetTokens: number): Pack {
  const capped = (chars: number): Pack => {
    const tight = new Map(room)
    for (const section of sections)
      if (section.mandatory === true && section.body.length > chars) tight.set(section, chars)
    return compose(sections, tight)
  }
  const longest = Math.max(0, ...sections.map(({ body }) => body.length))
  return capped(largest(0, longest, (chars) => capped(chars).tokens <= budgetTokens))
}

/** The largest number from `low` to `high` that fits, or `low`. */
function largest(low: number, high: number, fits: (n: number) => boolean): number {
  let best = low
  for (let from = low + 1, to = high; from <= to;) {
    const middle = Math.floor((from + to) / 2)
    if (fits(middle)) {
      best = middle
      from = middle + 1
    } else to = middle - 1
  }
  return best
}

function compose(sections: readonly Section[], room: Room): Pack {
  const shown = sections.filter((section) => room.get(section) !== null)
  const leftOut = sections.filter((section) => room.get(section) === null).map(({ title }) => title)
  const shortened = shown.filter((section) => room.has(section)).map(({ title }) => title)
  const note = [
    ...(leftOut.length > 0 ? [`Left out for lack of room: ${leftOut.join('; ')}.`] : []),
    ...(shortened.length > 0 ? [`Shortened for lack of room: ${shortened.join('; ')}.`] : []),
  ]
  const parts = shown.map((section) => sectionText(section, room.get(section) ?? null))
  const text = [...parts, ...(note.length > 0 ? [note.join('\n')] : [])].join('\n\n')
  return { text, tokens: estimateTokens(text), leftOut, shortened }
}

function sectionText({ title, lead, body }: Section, room: number | null): string {
  const material = body.trim() === '' ? [] : [mdFence(room === null ? body : shorten(body, room), 'data')]
  return [`## ${title}`, ...(lead === undefined ? [] : [lead]), ...material].join('\n\n')
}

/** Cuts the middle, because a failure has its name at the start and its cause at the end. */
export function shorten(text: string, chars: number): string {
  if (text.length <= chars) return text
  const note = (cut: number): string => `\n[… ${cut} characters left out …]\n`
  const keep = Math.max(0, chars - note(text.length).length)
  const head = Math.floor(keep * 0.4)
  const tail = keep - head
  return `${text.slice(0, head)}${note(text.length - keep)}${tail === 0 ? '' : text.slice(-tail)}`
}
