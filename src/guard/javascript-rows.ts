/** How many cases a table or a loop of JavaScript has, and what they are. */
import type { Part } from './chain.ts'
import { readChain } from './chain.ts'
import { soon } from './javascript-blocks.ts'
import type { Span, Tokens } from './tokens.ts'
import { closeOf, isWord, lengthOf, partsOf, sliceOf, textOf } from './tokens.ts'

/** Null rows: it depends on something else. */
export interface Rows { rows: number | null, table: string }

const unknown: Rows = { rows: null, table: '' }
const declaring = new Set(['const', 'let', 'var'])
const longestTable = 20_000

/** Lists and objects that a name stands for, by the bracket they begin with. */
export function constantsOf(tokens: Tokens): Map<string, number> {
  const constants = new Map<string, number>()
  for (let at = 0; at < lengthOf(tokens); at += 1) {
    if (tokens.kinds[at] !== 'word' || tokens.kinds[at + 1] !== 'word' || !declaring.has(textOf(tokens, at))) continue
    const equals = soon(tokens, at + 2, (token) => token === '=')
    if (equals !== null && /^[[{]$/.test(textOf(tokens, equals + 1))) constants.set(textOf(tokens, at + 1), equals + 1)
  }
  return constants
}

export function rowsOf(tokens: Tokens, span: Span, constants: ReadonlyMap<string, number>): Rows {
  if (tokens.kinds[span.from] === 'open') return count(tokens, span.from)
  if (!isWord(tokens, span.from)) return unknown
  const chain = readChain(tokens, span.from)
  const [root, second] = chain.parts
  if (root?.name === 'Object' && second?.args !== null && second !== undefined) {
    return rowsOf(tokens, { from: second.args + 1, end: closeOf(tokens, second.args) }, constants)
  }
  const constant = constants.get(root?.name ?? '')
  const plain = chain.parts.slice(1).every(({ name }) => /^(?:forEach|map|entries|some|every)$/.test(name)) && root?.args === null
  return constant === undefined || !plain ? unknown : count(tokens, constant)
}

function count(tokens: Tokens, open: number): Rows {
  const close = closeOf(tokens, open)
  const parts = partsOf(tokens, open)
  const spread = parts.some(({ from }) => textOf(tokens, from) === '...')
  return { rows: spread ? null : parts.length, table: sliceOf(tokens, open, close + 1).slice(0, longestTable) }
}

/** `each([...])`, or the template form with a head line and one line for each case. */
export function tableRows(tokens: Tokens, part: Part, constants: ReadonlyMap<string, number>): Rows {
  if (part.args !== null) {
    const first = partsOf(tokens, part.args)[0]
    return first === undefined ? { rows: 0, table: '' } : rowsOf(tokens, first, constants)
  }
  const from = part.template ?? 0
  const end = readChain(tokens, from).end
  const table = sliceOf(tokens, from, end).slice(0, longestTable)
  const lines = table.split('\n').filter((line) => line.includes('$'))
  return { rows: lines.length, table }
}
