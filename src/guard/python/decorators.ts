/** Reads the decorators of a Python test: whether it runs, and with which cases. */
import type { Chain } from '../syntax/chain.ts'
import { readChain } from '../syntax/chain.ts'
import { isHereToo, isOnlyElsewhere } from '../syntax/conditions.ts'
import type { PythonLine, PythonText } from './lex.ts'
import { times } from '../test-case.ts'
import { after, closeOf, isWord, partsOf, plainOf, sliceOf, textOf } from '../syntax/tokens.ts'

export interface Decorated {
  skipped: string | null
  rows: number | null
  table: string
}

export function decorated(python: PythonText, decorators: readonly PythonLine[]): Decorated {
  const all: Decorated = { skipped: null, rows: 1, table: '' }
  for (const line of decorators.slice(0, 50)) {
    if (!isWord(python.tokens, line.from + 1)) continue
    const chain = readChain(python.tokens, line.from + 1)
    all.skipped ??= skipOf(python, chain)
    const table = tableOf(python, chain)
    if (table === null) continue
    all.rows = times(all.rows, table.rows)
    all.table += `${table.table}\n`
  }
  return all
}

function skipOf({ tokens }: PythonText, chain: Chain): string | null {
  const last = chain.parts.at(-1)
  if (last === undefined || !/^(?:skip|skipif|xfail|skipIf|skipUnless|expectedFailure)$/.test(last.name)) return null
  const first = last.args === null ? undefined : partsOf(tokens, last.args)[0]
  const condition = first === undefined ? '' : plainOf(tokens, first.from, first.end, 30)
  if (/^(?:skipif|skipIf)$/.test(last.name) && (/^(?:False|0)$/.test(condition) || isOnlyElsewhere(condition)))
    return null
  if (last.name === 'skipUnless' && (condition === 'True' || isHereToo(condition))) return null
  return `@${plainOf(tokens, chain.from, chain.end, 30)
    .replace(/ ?([().,]) ?/g, '$1')
    .slice(0, 80)}`
}

function tableOf(python: PythonText, chain: Chain): { rows: number | null; table: string } | null {
  const { tokens } = python
  const last = chain.parts.at(-1)
  if (last === undefined || last.args === null) return null
  const parts = partsOf(tokens, last.args)
  if (last.name === 'data')
    return { rows: parts.length, table: sliceOf(tokens, last.args, closeOf(tokens, last.args) + 1) }
  const list =
    last.name === 'parametrize'
      ? parts[1]
      : last.name === 'expand' || last.name === 'parameterized'
        ? parts[0]
        : undefined
  if (list === undefined) return null
  const named = textOf(tokens, list.from + 1) === '=' ? 2 : 0
  return rowsIn(python, list.from + named, list.end)
}

/** Counts the cases of a list, or of the constant that names one; cases marked as skipped do not count. */
export function rowsIn(python: PythonText, from: number, end: number): { rows: number | null; table: string } {
  const { tokens } = python
  const range = /^range \( (-? ?\d+)(?: , (-? ?\d+))? \)$/.exec(plainOf(tokens, from, end, 10))
  if (range !== null) {
    const [first, second] = [Number(range[1]?.replace(' ', '')), range[2]?.replace(' ', '')]
    return { rows: Math.max(0, second === undefined ? first : Number(second) - first), table: '' }
  }
  if (tokens.kinds[from] !== 'open') {
    const constant = end - from === 1 && isWord(tokens, from) ? python.constants.get(textOf(tokens, from)) : undefined
    return constant === undefined ? { rows: null, table: '' } : rowsIn(python, constant, closeOf(tokens, constant) + 1)
  }
  const parts = partsOf(tokens, from)
  const spread = parts.some((part) => textOf(tokens, part.from) === '*' || hasFor(python, part.from, part.end))
  const skipped = parts.filter((part) =>
    /\bmark \. (?:skip|skipif|xfail)\b/.test(plainOf(tokens, part.from, part.end, 200)),
  ).length
  // Duplicate cases count once.
  const cases = new Set(parts.map((part) => plainOf(tokens, part.from, part.end))).size - skipped
  const cut = /^\[ (-? ?\d+)? ?: ?(-? ?\d+)? ?\]$/.exec(plainOf(tokens, closeOf(tokens, from) + 1, end, 8))
  const bounds = (cut ?? []).slice(1).map((bound) => (bound === undefined ? undefined : Number(bound.replace(' ', ''))))
  const rows = cut === null ? cases : Array.from({ length: Math.min(cases, 100_000) }).slice(...bounds).length
  return { rows: spread ? null : rows, table: sliceOf(tokens, from, end).slice(0, 20_000) }
}

function hasFor({ tokens }: PythonText, from: number, end: number): boolean {
  for (let at = from; at < end; at = after(tokens, at)) if (textOf(tokens, at) === 'for') return true
  return false
}
