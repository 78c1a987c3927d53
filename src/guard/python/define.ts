/** Opens the scope of a Python class, test or helper where it is defined. */
import { closeOf, plainOf, sliceOf } from '../syntax/tokens.ts'
import type { Helper, TestCase } from '../test-case.ts'
import { fullName, longestBody, reasons } from '../test-case.ts'
import { decorated } from './decorators.ts'
import type { PythonLine } from './lex.ts'
import { classPath, enter, enterVoid, isCollected, ownerScope, wordAt, type Walk } from './walk.ts'

export function defineClass(walk: Walk, line: PythonLine, name: string): void {
  const { tokens, python, decorators, scopes } = walk
  const bases = wordAt(walk, line, 2) === '(' ? plainOf(tokens, line.from + 3, closeOf(tokens, line.from + 2)) : ''
  const how = decorated(python, decorators).skipped
  const outer = scopes.at(-1)?.skipped ?? null
  const group = [...classPath(walk), name].join(' > ')
  const collected = isCollected(name, bases) || walk.inherited.has(name)
  const skipped = outer ?? (how === null ? null : { how, group })
  enter(walk, { kind: 'class', end: line.blockEnd, name, collected, plain: bases === '', skipped })
}

export function defineFunction(walk: Walk, line: PythonLine, name: string): void {
  const outer = ownerScope(walk)
  if (outer?.kind === 'test') {
    const once = walk.placesOf(name, line.from, walk.lines[outer.end - 1]?.end ?? line.end).length === 1
    if (once) enterVoid(walk, line.blockEnd, reasons.uncalled, name)
    return
  }
  const holder = walk.scopes.findLast(({ kind }) => kind === 'class')
  if (name === '__init__' && holder?.plain === true)
    holder.skipped ??= { how: 'a class with __init__', group: classPath(walk).join(' > ') }
  const isTest =
    name.startsWith('test')
    && outer === undefined
    && (holder === undefined || holder.collected === true)
    && !walk.decorators.some(({ from, end }) => /fixture/.test(plainOf(walk.tokens, from, end, 6)))
  if (isTest) defineTest(walk, line, name)
  else defineHelper(walk, line, name)
}

function defineHelper(walk: Walk, line: PythonLine, name: string): void {
  const helper: Helper = { file: walk.file, name, assertions: [], calls: [] }
  walk.found.helpers.push(helper)
  enter(walk, { kind: 'helper', end: line.blockEnd, name, owner: helper })
}

function defineTest(walk: Walk, line: PythonLine, name: string): void {
  const { file, tokens, lines, python, decorators } = walk
  const { skipped, rows, table } = decorated(python, decorators)
  const holder = walk.scopes.findLast(({ kind }) => kind === 'class')
  const test: TestCase = {
    file,
    path: classPath(walk),
    name,
    skipped: holder?.skipped ?? (skipped === null ? null : { how: skipped, group: null }),
    focused: null,
    gate: null,
    rows,
    assertions: [],
    calls: [],
    body: sliceOf(tokens, line.from, lines[line.blockEnd - 1]?.end ?? line.end).slice(0, longestBody),
    table,
  }
  if (wordAt(walk, line, 0) === 'async' && !isAwaited(walk, test.body))
    test.gate = 'async, and nothing in it is awaited'
  walk.defined.set(fullName(test), test)
  enter(walk, { kind: 'test', end: line.blockEnd, name, owner: test })
}

/** Without a plugin, pytest does not run an async test. A test that awaits something is assumed to have one. */
function isAwaited({ tokens, decorators }: Walk, body: string): boolean {
  const marks = decorators.map(({ from, end }) => plainOf(tokens, from, end, 12)).join('\n')
  return (
    /\b(?:asyncio|anyio|trio|tornado|gen_test|inlineCallbacks)/.test(marks)
    || /\b(?:await|async (?:with|for))\b/.test(body)
  )
}
