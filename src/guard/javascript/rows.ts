/** Counts the cases of a table or loop in JavaScript, and returns their text. */
import type { Part } from '../syntax/chain.ts'
import { readChain } from '../syntax/chain.ts'
import { soon } from './blocks.ts'
import type { Span, Tokens } from '../syntax/tokens.ts'
import { closeOf, isWord, lengthOf, partsOf, plainOf, sliceOf, textOf } from '../syntax/tokens.ts'

/** `rows` is null when the number is unknown. */
export interface Rows {
  rows: number | null
  table: string
}

const unknown: Rows = { rows: null, table: '' }
const declaring = new Set(['const', 'let', 'var'])
const longestTable = 20_000

/** By name, the opening brackets of constant lists and objects: several scopes may have one of a name. */
export type Constants = ReadonlyMap<string, readonly number[]>

export function constantsOf(tokens: Tokens): Constants {
  const constants = new Map<string, number[]>()
  for (let at = 0; at < lengthOf(tokens); at += 1) {
    if (tokens.kinds[at] !== 'word' || tokens.kinds[at + 1] !== 'word' || !declaring.has(textOf(tokens, at))) continue
    const equals = soon(tokens, at + 2, (token) => token === '=')
    if (equals === null || !/^[[{]$/.test(textOf(tokens, equals + 1))) continue
    const name = textOf(tokens, at + 1)
    const known = constants.get(name)
    if (known === undefined) constants.set(name, [equals + 1])
    else known.push(equals + 1)
  }
  return constants
}

/** The constant that the name means at a token: the last one before it, or else the first. */
export function constantAt(constants: Constants, name: string, at: number): number | undefined {
  const known = constants.get(name) ?? []
  let [low, high] = [0, known.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((known[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return known[Math.max(low - 1, 0)]
}

export function rowsOf(tokens: Tokens, span: Span, constants: Constants): Rows {
  if (tokens.kinds[span.from] === 'open') return cut(tokens, closeOf(tokens, span.from) + 1, count(tokens, span.from))
  if (!isWord(tokens, span.from)) return unknown
  const chain = readChain(tokens, span.from)
  const [root, second] = chain.parts
  if (root?.name === 'Object' && second?.args !== null && second !== undefined) {
    return rowsOf(tokens, { from: second.args + 1, end: closeOf(tokens, second.args) }, constants)
  }
  const constant = constantAt(constants, root?.name ?? '', span.from)
  const known = /^(?:forEach|map|entries|some|every|slice|filter)$/
  const plain = chain.parts.slice(1).every(({ name }) => known.test(name)) && root?.args === null
  return constant === undefined || !plain ? unknown : cut(tokens, span.from + 1, count(tokens, constant))
}

/** Applies `.slice(0, 1)` or `.filter(() => false)` after a list. */
function cut(tokens: Tokens, at: number, { rows, table }: Rows): Rows {
  const name = textOf(tokens, at) === '.' ? textOf(tokens, at + 1) : ''
  const open = at + 2
  if (rows === null || !/^(?:slice|filter)$/.test(name) || textOf(tokens, open) !== '(') return { rows, table }
  const text = plainOf(tokens, open + 1, closeOf(tokens, open), 12)
  if (name === 'filter') return { rows: /=> (?:false|0|null)$/.test(text) ? 0 : null, table }
  const [from = 0, to = rows] = text.replaceAll(' ', '').split(',').filter(Boolean).map(Number)
  return {
    rows: Number.isNaN(from + to) ? null : Array.from({ length: Math.min(rows, 100_000) }).slice(from, to).length,
    table,
  }
}

function count(tokens: Tokens, open: number): Rows {
  const close = closeOf(tokens, open)
  const parts = partsOf(tokens, open)
  const spread = parts.some(({ from }) => textOf(tokens, from) === '...')
  // Duplicate cases count once.
  const cases = new Set(parts.map(({ from, end }) => plainOf(tokens, from, end)))
  return { rows: spread ? null : cases.size, table: sliceOf(tokens, open, close + 1).slice(0, longestTable) }
}

/** Counts the rows of `each([...])`, or of the template form with a header line and one line per case. */
export function tableRows(tokens: Tokens, part: Part, constants: Constants): Rows {
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
