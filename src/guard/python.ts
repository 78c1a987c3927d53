/** Tests, assertions and helpers of a Python file. */
import { called, readChain } from './chain.ts'
import type { PythonLine, PythonText } from './lex-python.ts'
import { lexPython } from './lex-python.ts'
import { decorated, rowsIn } from './python-decorators.ts'
import { either, wordSet } from './pattern.ts'
import { judgeCall, judgeCondition } from './python-strength.ts'
import type { Assertion, Helper, Mark, TestCase, TestFile } from './test-case.ts'
import { fullName, longestBody, mostAssertions, reasons, soundsLikeAssertion, times } from './test-case.ts'
import { after, closeOf, isMember, isWord, plainOf, sliceOf, textOf } from './tokens.ts'

interface Scope {
  kind: 'class' | 'test' | 'helper' | 'loop' | 'void'
  /** The line after its block. */
  end: number
  name: string
  collected?: boolean
  skipped?: Mark | null
  owner?: TestCase | Helper
  rows?: number | null
  why?: string
}

const deepest = 100
const keywords = wordSet('assert if elif while not in is and or return with for lambda except raise yield await del from import')
/** The assertions of unittest; others are the project's own. */
const standard = either(/^fail$/, /^assert_$/, /^assert(?:Not)?(?:AlmostEqual|Equal|In|IsInstance|Regex)s?$/,
  /^assert(?:True|False|Is(?:Not)?(?:None)?)$/, /^assert(?:Raises|Warns)(?:Regex)?$/, /^assert(?:Greater|Less)(?:Equal)?$/,
  /^assert(?:No)?Logs$/,
  /^assert(?:Count|Dict|List|Set|Tuple|Sequence|MultiLine)Equal$/)

export function readPython(file: string, text: string): TestFile {
  const python = lexPython(text)
  const { tokens, lines } = python
  const defined = new Map<string, TestCase>()
  const found: TestFile = { tests: [], helpers: [] }
  const scopes: Scope[] = []
  let decorators: PythonLine[] = []
  let moduleSkip: Mark | null = null
  const at = (line: PythonLine, index: number): string => (line.from + index < line.end ? textOf(tokens, line.from + index) : '')
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
    enter({ kind: 'class', end: line.blockEnd, name, collected, skipped: outer ?? (how === null ? null : { how, group }) })
  }

  const defineFunction = (line: PythonLine, name: string): void => {
    if (ownerScope()?.kind === 'test') return
    const holder = scopes.findLast(({ kind }) => kind === 'class')
    const { skipped, rows, table } = decorated(python, decorators)
    const last = lines[line.blockEnd - 1]
    const isTest = name.startsWith('test') && ownerScope() === undefined && (holder === undefined || holder.collected === true)
      && !decorators.some((decorator) => /fixture/.test(plainOf(tokens, decorator.from, decorator.end, 6)))
    if (!isTest) {
      const helper: Helper = { file, name, assertions: [], calls: [] }
      found.helpers.push(helper)
      return enter({ kind: 'helper', end: line.blockEnd, name, owner: helper })
    }
    const test: TestCase = {
      file, path: path(), name, skipped: holder?.skipped ?? (skipped === null ? null : { how: skipped, group: null }), focused: null, rows,
      assertions: [], calls: [], body: sliceOf(tokens, line.from, last?.end ?? line.end).slice(0, longestBody), table,
    }
    // A later definition of the same name takes the place of an earlier one.
    defined.set(fullName(test), test)
    enter({ kind: 'test', end: line.blockEnd, name, owner: test })
  }

  const note = (assertion: Omit<Assertion, 'why' | 'times' | 'via' | 'opaque'>, opaque: string | null = null): void => {
    const mine = ownerScope()
    if (mine?.owner === undefined) return
    const inner = scopes.slice(scopes.indexOf(mine))
    const why = inner.find(({ why: reason }) => reason !== undefined)?.why ?? null
    const repeated = inner.reduce<number | null>((all, { kind, rows }) => (kind === 'loop' ? times(all, rows ?? null) : all), 1)
    mine.owner.assertions.push({ ...assertion, ...(why === null ? {} : { level: 0 }), why, times: repeated, via: null, opaque })
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
      if (/^(?:skip|xfail|skipTest|SkipTest|importorskip)$/.test(last.name)) skipHere(plainOf(tokens, chain.from, chain.end, 30))
      if (mine?.owner === undefined || mine.owner.assertions.length >= mostAssertions) continue
      const raises = /^(?:raises|warns|deprecated_call)$/.test(last.name) && chain.parts.length > 1
      const said = raises || /^fail$|^assert[A-Z_]/.test(last.name) || /^(?:expect|assert_that)$/.test(chain.parts[0]?.name ?? '')
      // A plain function that asserts may stand in the change; a method of the test class or of a mock does not.
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
    const compact = how.replace(/ ?([().,]) ?/g, '$1').slice(0, 80)
    if (mine?.kind === 'test') (mine.owner as TestCase).skipped ??= { how: compact, group: null }
    else if (mine === undefined && scopes.length === 0) moduleSkip ??= { how: compact, group: file }
  }

  const readAssignment = (line: PythonLine): void => {
    const text = plainOf(tokens, line.from, line.end, 60)
    const off = /^pytestmark = .*\bmark \. (?:skip|skipif|xfail)\b|^__test__ = False$/.test(text)
    const holder = scopes.at(-1)
    if (!off || (holder !== undefined && holder.kind !== 'class')) return
    const mark = { how: text.replace(/ ?([().,[\]]) ?/g, '$1').slice(0, 80), group: holder === undefined ? file : [...path()].join(' > ') }
    if (holder === undefined) moduleSkip ??= mark
    else {
      holder.skipped ??= mark
      for (const test of defined.values()) if (test.path.at(-1) === holder.name) test.skipped ??= mark
    }
  }

  const readLine = (line: PythonLine, index: number): void => {
    const [first, second] = [at(line, 0), at(line, 1)]
    const skew = first === 'async' ? 1 : 0
    if (first === '@') { decorators.push(line); return }
    if (first === 'class') defineClass(line, second)
    else if (at(line, skew) === 'def') defineFunction(line, at(line, skew + 1))
    else readBody(line, index, at(line, skew))
    decorators = []
  }

  const readBody = (line: PythonLine, index: number, first: string): void => {
    const end = line.blockEnd
    const condition = plainOf(tokens, line.from + 1, line.end - 1, 20)
    if (first === 'for') {
      const into = wordIn(line, 'in')
      enter({ kind: 'loop', end, name: '', rows: into === null ? null : rowsIn(python, into + 1, line.end - 1).rows })
    } else if (first === 'if' && /^(?:False|0|not True|None)$/.test(condition)) enter({ kind: 'void', end, name: '', why: reasons.untrue })
    else if (first === 'try' && swallows(python, index)) enter({ kind: 'void', end, name: '', why: reasons.caught })
    else if (first === 'with' && /\bsuppress \(/.test(condition)) enter({ kind: 'void', end, name: '', why: reasons.caught })
    else if (first === 'return') {
      const mine = ownerScope()
      const always = mine?.kind === 'test' && scopes.at(-1) === mine && returnsAlways(python, line, index)
      if (always) enter({ kind: 'void', end: mine.end, name: '', why: reasons.unreached })
    } else if (first === 'assert') {
      const comma = commaIn(line)
      note({ text: plainOf(tokens, line.from, comma), ...judgeCondition(tokens, { from: line.from + 1, end: comma }) })
    } else if (first === 'raise' && /^AssertionError\b/.test(condition)) {
      note({ text: `raise ${condition}`, subject: '', level: 2, bound: null })
    }
    if (first.startsWith('pytestmark') || first === '__test__') readAssignment(line)
    readExpressions(line)
  }
  const wordIn = (line: PythonLine, word: string): number | null => {
    for (let place = line.from; place < line.end; place = after(tokens, place)) if (textOf(tokens, place) === word) return place
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
    if (dead && test.assertions.some(({ why }) => why === reasons.unreached)) test.skipped ??= { how: reasons.returned, group: null }
  }
  return found
}

/** A try whose handlers do nothing about what they caught, and catch what an assertion raises. */
function swallows({ tokens, lines }: PythonText, index: number): boolean {
  const start = lines[index]
  let place = start?.blockEnd ?? 0
  let caught = false
  while (place < lines.length && lines[place]?.indent === start?.indent) {
    const line = lines[place]
    if (line === undefined || textOf(tokens, line.from) !== 'except') break
    const kinds = plainOf(tokens, line.from, line.end, 20)
    const wide = line.end - line.from <= 2 || /\b(?:Exception|BaseException|AssertionError)\b/.test(kinds)
    const handler = plainOf(tokens, line.end, lines[line.blockEnd - 1]?.end ?? line.end)
    if (wide && !/\b(?:raise|fail|assert\w*)\b/.test(`${handler} ${plainOf(tokens, line.from, line.end, 40)}`)) caught = true
    place = line.blockEnd
  }
  return caught
}

/** A `return` directly in a function, or under a condition that is always true. */
function returnsAlways({ tokens, lines }: PythonText, line: PythonLine, index: number): boolean {
  for (let place = index - 1; place >= 0 && place > index - 50; place -= 1) {
    const before = lines[place]
    if (before === undefined || before.indent >= line.indent) continue
    const text = plainOf(tokens, before.from, before.end, 30)
    return /^(?:async )?def /.test(text) || /^if (?:True|1|not False) :|\bos \. (?:environ|getenv)\b/.test(text)
  }
  return false
}

