/** Finds the code that `break`, `continue` and a `switch` skip. */
import { beginsLine } from '../syntax/chain.ts'
import { soon, statementEnd, whenRuns } from './blocks.ts'
import { truthOf } from '../syntax/conditions.ts'
import type { Jump } from './scopes.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { after, closeOf, isWord, plainOf, sliceOf, textOf } from '../syntax/tokens.ts'

const mostCases = 200
const constant = /^(?:-? ?[\d._]+|'[^']*'|"[^"]*"|true|false|null|undefined)$/
/** Words of code that reacts to a failure, or to the lack of one. */
export const reacting = /\b(?:throw|expect|assert\w*|fail|reject|done|next|should)\b/
const blocks = /^(?:if|for|while|switch|catch|with)$/

/** Returns the keyword of a block and where its statement begins; null for a function, which no jump leaves. */
function headOf(tokens: Tokens, open: number): { word: string; from: number } | null {
  const before = textOf(tokens, open - 1)
  if (textOf(tokens, open) !== '{' || before === '=>') return null
  if (before !== ')')
    return /^(?:do|else|try|finally)$/.test(before) ? { word: before, from: open - 1 } : { word: '', from: open }
  const params = tokens.pair[open - 1] ?? 0
  const from = textOf(tokens, params - 1) === 'await' ? params - 2 : params - 1
  const word = textOf(tokens, from)
  return blocks.test(word) ? { word, from } : null
}

/** Returns the code that the `break` or `continue` at this token skips; null when it cannot be determined. */
export function jumpFrom(tokens: Tokens, at: number, brackets: readonly number[]): Jump | null {
  const label = isWord(tokens, at + 1) && !beginsLine(tokens, at + 1) ? textOf(tokens, at + 1) : null
  const leaves = textOf(tokens, at) === 'break' ? /^(?:for|while|do|switch)$/ : /^(?:for|while|do)$/
  for (const open of brackets.slice(-50).toReversed()) {
    const head = headOf(tokens, open)
    if (head === null) return null
    const mine =
      label === null
        ? leaves.test(head.word)
        : textOf(tokens, head.from - 1) === ':' && textOf(tokens, head.from - 2) === label
    if (!mine) continue
    const end = closeOf(tokens, open)
    const when = head.word === 'switch' && label === null ? null : whenRuns(tokens, at, brackets, open)
    if (when === null || (when.condition !== null && repeats(tokens, head.word, end))) return null
    return { at, end, condition: when.condition === null ? null : `! ( ${when.condition} )` }
  }
  return null
}

/**
 * In a real loop, a conditional jump applies only to some of the iterations; `do { ... } while (false)` does not
 * repeat.
 */
function repeats(tokens: Tokens, word: string, close: number): boolean {
  if (word === 'do') return truthOf(plainOf(tokens, close + 3, closeOf(tokens, close + 2), 40)) !== false
  return word === 'for' || word === 'while'
}

interface Case {
  at: number
  from: number
  value: string | null
}

/**
 * Skips all cases but the one that a constant subject selects. For an unknown subject, marks the switch as conditional
 * when only one case asserts.
 */
export function jumpsOfSwitch(tokens: Tokens, at: number): Jump[] {
  const open = closeOf(tokens, at + 1) + 1
  if (textOf(tokens, open) !== '{') return []
  const end = closeOf(tokens, open)
  const cases = casesIn(tokens, open)
  const subject = plainOf(tokens, at + 2, open - 1, 20)
  const taken = takenBy(subject, cases)
  if (taken === undefined) {
    const sections = cases.map(({ from }, index) => sliceOf(tokens, from, cases[index + 1]?.at ?? end).slice(0, 4000))
    const asserting = sections.filter((section) => reacting.test(section)).length
    return asserting !== 1 || /platform/.test(subject) ? [] : [{ at: open, end, condition: `switch ( ${subject} )` }]
  }
  if (taken === null) return [{ at: open, end, condition: null }]
  return [
    { at: wayOut(tokens, taken.from, end), end, condition: null },
    { at: open, end: taken.at, condition: null },
  ]
}

function casesIn(tokens: Tokens, open: number): Case[] {
  const cases: Case[] = []
  for (let at = open + 1; at < closeOf(tokens, open) && cases.length < mostCases; at = after(tokens, at)) {
    const word = textOf(tokens, at)
    if (word !== 'case' && word !== 'default') continue
    const colon = soon(tokens, at + 1, (token) => token === ':')
    if (colon !== null)
      cases.push({ at, from: colon + 1, value: word === 'default' ? null : plainOf(tokens, at + 1, colon, 20) })
  }
  return cases
}

/** Returns null when no case matches, and undefined when it is unknown. */
function takenBy(subject: string, cases: readonly Case[]): Case | null | undefined {
  if (!constant.test(subject)) return undefined
  for (const each of cases) {
    if (each.value === subject) return each
    if (each.value !== null && !constant.test(each.value)) return undefined
  }
  return cases.find(({ value }) => value === null) ?? null
}

/**
 * Returns where a case is left unconditionally, after its `break` or `return` statement; else the end of the switch.
 */
function wayOut(tokens: Tokens, from: number, end: number): number {
  for (let at = from; at < end;) {
    const before = textOf(tokens, at - 1)
    const block = textOf(tokens, at) === '{' && /^[:{};]$/.test(before)
    if (/^(?:break|return|continue|throw)$/.test(textOf(tokens, at)) && before !== ')' && before !== 'else')
      return statementEnd(tokens, at)
    at = block ? at + 1 : after(tokens, at)
  }
  return end
}
