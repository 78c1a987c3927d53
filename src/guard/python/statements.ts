/** Reads the statements of a Python body: blocks that hide assertions, ways to leave a test, and `assert` itself. */
import { isHereToo, truthOf } from '../syntax/conditions.ts'
import { plainOf, textOf } from '../syntax/tokens.ts'
import { reasons } from '../test-case.ts'
import { returnsWhen, swallows } from './blocks.ts'
import { rowsIn } from './decorators.ts'
import { readExpressions } from './expressions.ts'
import type { PythonLine } from './lex.ts'
import { readMark, recordAssertion, recordSkip } from './record.ts'
import { judgeCondition } from './strength.ts'
import { enter, enterVoid, ownerScope, wordAt, wordIn, type Walk } from './walk.ts'

/** `first` is the first word of the line, after `async`. */
export function readStatement(walk: Walk, line: PythonLine, index: number, first: string): void {
  if (!readBlock(walk, line, index, first)) readSimple(walk, line, index, first)
  if (first.startsWith('pytestmark') || first === '__test__') readMark(walk, line)
  readExpressions(walk, line)
}

/** Opens the scope of a block that changes what its assertions prove. Whether the line begins such a block. */
function readBlock(walk: Walk, line: PythonLine, index: number, first: string): boolean {
  const { python, tokens } = walk
  const end = line.blockEnd
  const condition = plainOf(tokens, line.from + 1, line.end - 1, 40)
  if (first === 'for') enter(walk, { kind: 'loop', end, name: '', rows: rowsOf(walk, line) })
  else if (/^(?:if|while)$/.test(first) && truthOf(condition) === false) enterVoid(walk, end, reasons.untrue)
  else if (first === 'if' && ownerScope(walk)?.kind === 'test') readIf(walk, line, condition)
  else if (first === 'with' && /\braises \( (?:AssertionError|(?:Base)?Exception)\b/.test(condition))
    expectFailure(walk, index, end)
  else if (first === 'try' && swallows(python, index)) enterVoid(walk, end, reasons.caught)
  else if (first === 'with' && /\bsuppress \(/.test(condition)) enterVoid(walk, end, reasons.caught)
  else return false
  return true
}

function rowsOf(walk: Walk, line: PythonLine): number | null {
  const into = wordIn(walk, line, 'in')
  return into === null ? null : rowsIn(walk.python, into + 1, line.end - 1).rows
}

function readIf(walk: Walk, line: PythonLine, condition: string): void {
  const { tokens, lines } = walk
  const other = lines[line.blockEnd]
  const both =
    other !== undefined
    && other.indent === line.indent
    && /^el(?:se|if)$/.test(textOf(tokens, other.from))
    && /\b(?:assert\w*|raise|fail)\b/.test(plainOf(tokens, other.from, lines[other.blockEnd - 1]?.end ?? other.end))
  if (truthOf(condition) === null && !isHereToo(condition) && !both)
    enter(walk, { kind: 'branch', end: line.blockEnd, name: '', condition })
}

/** An assertion that is expected to fail checks the opposite; a call in its place may raise on purpose. */
function expectFailure(walk: Walk, index: number, end: number): void {
  const inner = walk.lines[index + 1]
  if (inner !== undefined && textOf(walk.tokens, inner.from) === 'assert') enterVoid(walk, end, reasons.caught)
}

function readSimple(walk: Walk, line: PythonLine, index: number, first: string): void {
  const { tokens, defined } = walk
  const rest = plainOf(tokens, line.from + 1, line.end, 40)
  const mine = ownerScope(walk)
  if (first === 'return') readReturn(walk, line, index)
  else if (first === 'yield' && mine?.kind === 'test' && walk.scopes.at(-1) === mine)
    recordSkip(walk, 'yield: a generator is not run')
  else if (first === 'raise' && /\bSkipTest\b|\bskip \. Exception\b/.test(rest)) recordSkip(walk, `raise ${rest}`)
  else if (line.indent === 0 && first === 'del') for (const name of rest.split(' , ')) defined.delete(name)
  else if (line.indent === 0 && wordAt(walk, line, 1) === '=' && defined.has(first)) defined.delete(first)
  else if (first === 'assert') readAssert(walk, line)
  else if (first === 'raise' && /^AssertionError\b/.test(rest))
    recordAssertion(walk, { text: `raise ${rest}`, subject: '', level: 2, bound: null })
}

function readAssert(walk: Walk, line: PythonLine): void {
  const { tokens } = walk
  const comma = wordIn(walk, line, ',') ?? line.end
  const text = plainOf(tokens, line.from, comma)
  recordAssertion(walk, { text, ...judgeCondition(tokens, { from: line.from + 1, end: comma }) })
}

/** What follows a return in a test is reached only when its condition is false, or never. */
function readReturn(walk: Walk, line: PythonLine, index: number): void {
  const { scopes } = walk
  const mine = ownerScope(walk)
  const inner = scopes.at(-1)
  if (mine?.kind !== 'test' || (inner !== mine && inner?.kind !== 'branch')) return
  const when = returnsWhen(walk.python, line, index)
  if (when === null) return
  const { end } = mine
  scopes.splice(
    scopes.indexOf(mine) + 1,
    0,
    when === true
      ? { kind: 'void', end, name: '', why: reasons.unreached }
      : { kind: 'branch', end, name: '', condition: `not ( ${when} )` },
  )
}
