/** Reads the tests, assertions and helpers of a Python file. */
import { called, readChain } from '../syntax/chain.ts'
import { isHereToo, isOnlyElsewhere, truthOf } from '../syntax/conditions.ts'
import type { PythonLine } from './lex.ts'
import { lexPython } from './lex.ts'
import { decorated, rowsIn } from './decorators.ts'
import { either, wordSet } from '../pattern.ts'
import { returnsWhen, swallows } from './blocks.ts'
import { judgeCall, judgeCondition } from './strength.ts'
import type { Assertion, Helper, Mark, TestCase, TestFile } from '../test-case.ts'
import { fullName, longestBody, mostAssertions, reasons, soundsLikeAssertion, times } from '../test-case.ts'
import { after, closeOf, isMember, isWord, plainOf, sliceOf, textOf, wordFinder } from '../syntax/tokens.ts'

interface Scope {
  kind: 'class' | 'test' | 'helper' | 'loop' | 'void' | 'branch'
  /** The index of the line after its block. */
  end: number
  name: string
  collected?: boolean
  /** Whether the class has no base class. */
  plain?: boolean
  skipped?: Mark | null
  owner?: TestCase | Helper
  rows?: number | null
  why?: string
  condition?: string
}

const deepest = 100
const keywords = wordSet(
  'assert if elif while not in is and or return with for lambda except raise yield await del from import',
)
/** The assertions of unittest; all others are defined by the project. */
const standard = either(
  /^fail$/,
  /^assert_$/,
  /^assert(?:Not)?(?:AlmostEqual|Equal|In|IsInstance|Regex)s?$/,
  /^assert(?:True|False|Is(?:Not)?(?:None)?)$/,
  /^assert(?:Raises|Warns)(?:Regex)?$/,
  /^assert(?:Greater|Less)(?:Equal)?$/,
  /^assert(?:No)?Logs$/,
  /^assert(?:Count|Dict|List|Set|Tuple|Sequence|MultiLine)Equal$/,
)

export function readPython(file: string, text: string): TestFile {
  const python = lexPython(text)
  const { tokens, lines } = python
  const defined = new Map<string, TestCase>()
  const placesOf = wordFinder(tokens)
  const found: TestFile = { tests: [], helpers: [] }
  const scopes: Scope[] = []
  let decorators: PythonLine[] = []
  let moduleSkip: Mark | null = null
  const at = (line: PythonLine, index: number): string =>
    line.from + index < line.end ? textOf(tokens, line.from + index) : ''
  const ownerScope = (): Scope | undefined => scopes.findLast(({ owner }) => owner !== undefined)
  const enter = (scope: Scope): void => {
    if (scopes.length < deepest) scopes.push({ ...scope, end: Math.min(scope.end, scopes.at(-1)?.end ?? Infinity) })
  }
  const path = (): string[] => scopes.filter(({ kind }) => kind === 'class').map(({ name }) => name)

  const defineClass = (line: PythonLine, name: string): void => {
    const bases = at(line, 2) === '(' ? plainOf(tokens, line.from + 3, closeOf(tokens, line.from + 2)) : ''
    const how = decorated(python, decorators).skipped
    const outer = scopes.at(-1)?.skipped ?? null
    const group = [...path(), name].join(' > ')
    const collected = name.startsWith('Test') || /Test|Case|Mixin/.test(bases)
    const skipped = outer ?? (how === null ? null : { how, group })
    enter({ kind: 'class', end: line.blockEnd, name, collected, plain: bases === '', skipped })
  }

  const defineFunction = (line: PythonLine, name: string): void => {
    const outer = ownerScope()
    if (outer?.kind === 'test') {
      const once = placesOf(name, line.from, lines[outer.end - 1]?.end ?? line.end).length === 1
      if (once) enter({ kind: 'void', end: line.blockEnd, name, why: reasons.uncalled })
      return
    }
    const holder = scopes.findLast(({ kind }) => kind === 'class')
    const { skipped, rows, table } = decorated(python, decorators)
    const last = lines[line.blockEnd - 1]
    const isTest =
      name.startsWith('test')
      && ownerScope() === undefined
      && (holder === undefined || holder.collected === true)
      && !decorators.some((decorator) => /fixture/.test(plainOf(tokens, decorator.from, decorator.end, 6)))
    if (name === '__init__' && holder?.plain === true)
      holder.skipped ??= { how: 'a class with __init__', group: path().join(' > ') }
    if (!isTest) {
      const helper: Helper = { file, name, assertions: [], calls: [] }
      found.helpers.push(helper)
      return enter({ kind: 'helper', end: line.blockEnd, name, owner: helper })
    }
    const test: TestCase = {
      file,
      path: path(),
      name,
      skipped: holder?.skipped ?? (skipped === null ? null : { how: skipped, group: null }),
      focused: null,
      gate: null,
      rows,
      assertions: [],
      calls: [],
      body: sliceOf(tokens, line.from, last?.end ?? line.end).slice(0, longestBody),
      table,
    }
    // Without a plugin, pytest does not run an async test. A test that awaits something is assumed to have one.
    const marks = decorators.map(({ from, end }) => plainOf(tokens, from, end, 12)).join('\n')
    const driven =
      /\b(?:asyncio|anyio|trio|tornado|gen_test|inlineCallbacks)/.test(marks)
      || /\b(?:await|async (?:with|for))\b/.test(test.body)
    if (at(line, 0) === 'async' && !driven) test.gate = 'async, and nothing in it is awaited'
    // A later definition of the same name replaces an earlier one.
    defined.set(fullName(test), test)
    enter({ kind: 'test', end: line.blockEnd, name, owner: test })
  }

  const note = (
    assertion: Omit<Assertion, 'why' | 'condition' | 'times' | 'via' | 'opaque'>,
    opaque: string | null = null,
  ): void => {
    const mine = ownerScope()
    if (mine?.owner === undefined) return
    const inner = scopes.slice(scopes.indexOf(mine))
    const why = inner.find(({ why: reason }) => reason !== undefined)?.why ?? null
    const looped = inner.some(({ kind }) => kind === 'loop') || ('rows' in mine.owner && mine.owner.rows !== 1)
    const condition = looped ? null : (inner.find(({ condition: asked }) => asked !== undefined)?.condition ?? null)
    const repeated = inner.reduce<number | null>(
      (all, { kind, rows }) => (kind === 'loop' ? times(all, rows ?? null) : all),
      1,
    )
    mine.owner.assertions.push({
      ...assertion,
      ...(why === null ? {} : { level: 0 }),
      why,
      condition,
      times: repeated,
      via: null,
      opaque,
    })
  }

  const readExpressions = (line: PythonLine): void => {
    for (let index = line.from; index < line.end; index += 1) {
      if (!isWord(tokens, index) || isMember(tokens, index) || keywords.has(textOf(tokens, index))) continue
      if (!'.(['.includes(tokens.text.charAt(tokens.from[index + 1] ?? 0))) continue
      const chain = readChain(tokens, index)
      const last = chain.parts.findLast(({ args }) => args !== null)
      if (last === undefined) continue
      const mine = ownerScope()
      const hidden = scopes.some(({ why }) => why !== undefined)
      if (mine?.owner !== undefined && !hidden) for (const { name } of called(chain)) mine.owner.calls.push(name)
      const ends = /^(?:sys \. exit|os \. _exit|exit|quit) \( (?:0 )?\)$/.test(
        plainOf(tokens, chain.from, chain.end, 8),
      )
      if (ends && (line.indent === 0 || mine?.kind === 'test')) skipHere(plainOf(tokens, chain.from, chain.end, 8))
      if (/^(?:skip|xfail|skipTest|SkipTest|importorskip)$/.test(last.name))
        skipHere(plainOf(tokens, chain.from, chain.end, 30))
      if (mine?.owner === undefined || mine.owner.assertions.length >= mostAssertions) continue
      const raises = /^(?:raises|warns|deprecated_call)$/.test(last.name) && chain.parts.length > 1
      const said =
        raises || /^fail$|^assert[A-Z_]/.test(last.name) || /^(?:expect|assert_that)$/.test(chain.parts[0]?.name ?? '')
      // The change may contain a plain function that asserts, but not a method of the test class or of a mock.
      const opaque = soundsLikeAssertion(last.name) && chain.parts.length === 1 && index === line.from
      const own = chain.parts.length === 2 && chain.parts[0]?.name === 'self' && !standard.test(last.name)
      if (!opaque && !said) continue
      const text = plainOf(tokens, chain.from, chain.end)
      if (opaque) note({ text, subject: text, level: 2, bound: null }, last.name)
      else note({ text, ...judgeCall(tokens, chain) }, own ? last.name : null)
    }
  }
  const skipHere = (how: string): void => {
    const mine = ownerScope()
    if (scopes.some(({ condition }) => condition !== undefined && isOnlyElsewhere(condition))) return
    const compact = how.replace(/ ?([().,]) ?/g, '$1').slice(0, 80)
    if (mine?.kind === 'test') (mine.owner as TestCase).skipped ??= { how: compact, group: null }
    else if (mine === undefined && scopes.length === 0) moduleSkip ??= { how: compact, group: file }
  }

  const readAssignment = (line: PythonLine): void => {
    const text = plainOf(tokens, line.from, line.end, 60)
    const off = /^pytestmark = .*\bmark \. (?:skip|skipif|xfail)\b|^__test__ = False$/.test(text)
    const holder = scopes.at(-1)
    if (!off || (holder !== undefined && holder.kind !== 'class')) return
    const mark = {
      how: text.replace(/ ?([().,[\]]) ?/g, '$1').slice(0, 80),
      group: holder === undefined ? file : [...path()].join(' > '),
    }
    if (holder === undefined) moduleSkip ??= mark
    else {
      holder.skipped ??= mark
      for (const test of defined.values()) if (test.path.at(-1) === holder.name) test.skipped ??= mark
    }
  }

  const readLine = (line: PythonLine, index: number): void => {
    const [first, second] = [at(line, 0), at(line, 1)]
    const skew = first === 'async' ? 1 : 0
    if (first === '@') {
      decorators.push(line)
      return
    }
    if (first === 'class') defineClass(line, second)
    else if (at(line, skew) === 'def') defineFunction(line, at(line, skew + 1))
    else readBody(line, index, at(line, skew))
    decorators = []
  }

  const readBody = (line: PythonLine, index: number, first: string): void => {
    const end = line.blockEnd
    const condition = plainOf(tokens, line.from + 1, line.end - 1, 40)
    const rest = plainOf(tokens, line.from + 1, line.end, 40)
    if (first === 'for') {
      const into = wordIn(line, 'in')
      enter({ kind: 'loop', end, name: '', rows: into === null ? null : rowsIn(python, into + 1, line.end - 1).rows })
    } else if (/^(?:if|while)$/.test(first) && truthOf(condition) === false)
      enter({ kind: 'void', end, name: '', why: reasons.untrue })
    else if (first === 'if' && ownerScope()?.kind === 'test') readIf(line, end, condition)
    else if (first === 'with' && /\braises \( (?:AssertionError|(?:Base)?Exception)\b/.test(condition))
      expecting(index, end)
    else if (first === 'try' && swallows(python, index)) enter({ kind: 'void', end, name: '', why: reasons.caught })
    else if (first === 'with' && /\bsuppress \(/.test(condition))
      enter({ kind: 'void', end, name: '', why: reasons.caught })
    else if (first === 'return') readReturn(line, index)
    else if (first === 'yield' && ownerScope()?.kind === 'test' && scopes.at(-1) === ownerScope())
      skipHere('yield: a generator is not run')
    else if (first === 'raise' && /\bSkipTest\b|\bskip \. Exception\b/.test(rest)) skipHere(`raise ${rest}`)
    else if (line.indent === 0 && first === 'del') for (const name of rest.split(' , ')) defined.delete(name)
    else if (line.indent === 0 && at(line, 1) === '=' && defined.has(first)) defined.delete(first)
    else if (first === 'assert') {
      const comma = commaIn(line)
      note({ text: plainOf(tokens, line.from, comma), ...judgeCondition(tokens, { from: line.from + 1, end: comma }) })
    } else if (first === 'raise' && /^AssertionError\b/.test(rest)) {
      note({ text: `raise ${rest}`, subject: '', level: 2, bound: null })
    }
    if (first.startsWith('pytestmark') || first === '__test__') readAssignment(line)
    readExpressions(line)
  }
  const readIf = (line: PythonLine, end: number, condition: string): void => {
    const other = lines[end]
    const both =
      other !== undefined
      && other.indent === line.indent
      && /^el(?:se|if)$/.test(textOf(tokens, other.from))
      && /\b(?:assert\w*|raise|fail)\b/.test(plainOf(tokens, other.from, lines[other.blockEnd - 1]?.end ?? other.end))
    if (truthOf(condition) === null && !isHereToo(condition) && !both)
      enter({ kind: 'branch', end, name: '', condition })
  }
  /** An assertion that is expected to fail checks the opposite; a call in its place may raise on purpose. */
  const expecting = (index: number, end: number): void => {
    const inner = lines[index + 1]
    if (inner !== undefined && textOf(tokens, inner.from) === 'assert')
      enter({ kind: 'void', end, name: '', why: reasons.caught })
  }
  const readReturn = (line: PythonLine, index: number): void => {
    const mine = ownerScope()
    const inner = scopes.at(-1)
    if (mine?.kind !== 'test' || (inner !== mine && inner?.kind !== 'branch')) return
    const when = returnsWhen(python, line, index)
    if (when === null) return
    if (when === true)
      scopes.splice(scopes.indexOf(mine) + 1, 0, { kind: 'void', end: mine.end, name: '', why: reasons.unreached })
    else
      scopes.splice(scopes.indexOf(mine) + 1, 0, {
        kind: 'branch',
        end: mine.end,
        name: '',
        condition: `not ( ${when} )`,
      })
  }
  const wordIn = (line: PythonLine, word: string): number | null => {
    for (let position = line.from; position < line.end; position = after(tokens, position))
      if (textOf(tokens, position) === word) return position
    return null
  }
  const commaIn = (line: PythonLine): number => wordIn(line, ',') ?? line.end

  lines.forEach((line, index) => {
    while ((scopes.at(-1)?.end ?? Infinity) <= index) scopes.pop()
    readLine(line, index)
  })
  for (const test of defined.values()) {
    found.tests.push(test)
    test.skipped ??= moduleSkip
    const dead = test.assertions.length > 0 && test.assertions.every(({ level }) => level === 0)
    if (dead && test.assertions.some(({ why }) => why === reasons.unreached))
      test.skipped ??= { how: reasons.returned, group: null }
  }
  return found
}
