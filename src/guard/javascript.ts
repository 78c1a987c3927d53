/** Tests, assertions and helpers of a JavaScript or TypeScript file. */
import type { Chain } from './chain.ts'
import { beginsLine, called, readChain } from './chain.ts'
import { assertionIn } from './javascript-assertions.ts'
import { alwaysRuns, blockAfter, bodyOf, directly, soon, statementEnd } from './javascript-blocks.ts'
import { constantsOf, rowsOf, tableRows } from './javascript-rows.ts'
import { openScopes } from './javascript-scopes.ts'
import type { Alias, Definition } from './javascript-tests.ts'
import { aliasOf, definitionOf, rootAlias } from './javascript-tests.ts'
import { lexJavaScript } from './lex-javascript.ts'
import type { Helper, Mark, TestCase, TestFile } from './test-case.ts'
import { longestBody, mostAssertions, reasons, times } from './test-case.ts'
import type { Tokens } from './tokens.ts'
import { closeOf, isMark, isMember, isWord, lengthOf, partsOf, plainOf, sliceOf, textOf } from './tokens.ts'

const plainTest: Alias = { kind: 'test', skipped: null, focused: null }
const loops = new Set(['forEach', 'map', 'every', 'some'])
const control = new Set(['while', 'switch', 'catch', 'with', 'super', 'await', 'typeof'])
const statements = new Set(['function', 'for', 'if', 'try', 'return', 'throw'])
const never = /^(?:false|0|! true|null)$/
const reacting = /\b(?:throw|expect|assert\w*|fail|reject|done|next|should)\b/

export function readJavaScript(file: string, text: string): TestFile {
  const tokens = lexJavaScript(text, !/\.[cm]?ts$/.test(file))
  const first = walk(file, tokens, new Set())
  // A function that defines a test by a name it is given makes each call of it a test.
  return first.wrappers.size === 0 ? first : walk(file, tokens, first.wrappers)
}

function walk(file: string, tokens: Tokens, wrapping: ReadonlySet<string>): TestFile & { wrappers: Set<string> } {
  const found = { tests: [] as TestCase[], helpers: [] as Helper[], wrappers: new Set<string>() }
  const aliases = new Map<string, Alias>()
  const constants = constantsOf(tokens)
  const scopes = openScopes()
  const brackets: number[] = []
  let wholeFile: Mark | null = null

  const known = (name: string): Alias | null => {
    if (wrapping.has(name) && scopes.owner() === undefined) return plainTest
    return aliases.get(name) ?? rootAlias(name)
  }
  /** `t.test('...', ...)` within a test. */
  const subtest = ({ parts: [root, second, ...more] }: Chain): boolean =>
    more.length === 0 && second?.name === 'test' && root?.name === scopes.test()?.context

  const addHelper = (name: string, end: number): void => {
    if (scopes.test() !== undefined) return
    const owner: Helper = { file, name, assertions: [], calls: [] }
    found.helpers.push(owner)
    scopes.enter({ kind: 'helper', end, owner })
  }

  const define = (chain: Chain, definition: Definition): void => {
    const end = closeOf(tokens, definition.args)
    const path = scopes.path()
    const group = scopes.group()
    const mark = (how: string | null): Mark | null =>
      how === null ? null : { how, group: definition.kind === 'group' ? [...path, definition.name].join(' > ') : null }
    const skipped = group?.skipped ?? mark(definition.skipped)
    const focused = mark(definition.focused) ?? group?.focused ?? null
    const { rows, table } = definition.table === null ? { rows: 1, table: '' } : tableRows(tokens, definition.table, constants)
    if (definition.kind === 'hook') addHelper([...path, definition.name].join(' > '), end)
    else if (definition.kind === 'group') {
      scopes.enter({ kind: 'group', end, path: [...path, definition.name], skipped, focused, rows, table })
    } else {
      const { body } = definition
      const root = chain.parts[0]?.name ?? ''
      const wrapped = wrapping.has(root)
      const owner: TestCase = {
        file, path, name: definition.name, skipped: skipped ?? (body === null && !wrapped ? mark('a test without a body') : null), focused,
        rows: times(rows, scopes.repeated('here')), assertions: [], calls: [],
        body: sliceOf(tokens, body?.from ?? chain.from, end).slice(0, longestBody),
        table: [table, scopes.tables()].filter(Boolean).join('\n'),
      }
      if (body !== null && body.end === body.from + 1) owner.calls.push(textOf(tokens, body.from))
      if (wrapped) owner.calls.push(root)
      const helper = scopes.helper()
      if (helper !== undefined && !definition.named) found.wrappers.add(helper.owner.name)
      // What a wrapper defines are its callers' tests.
      if (helper === undefined || definition.named) found.tests.push(owner)
      else if (wrapping.size > 0) return
      scopes.enter({ kind: 'test', end, owner, path: [...path, definition.name], returned: Infinity, ...bodyOf(tokens, body) })
    }
  }

  /** `this.skip()`, `t.skip('why')`, `test.skip(condition)`: whom it stands in is not run. */
  const skipsFromWithin = (chain: Chain): boolean => {
    const last = chain.parts.at(-1)
    const test = scopes.test()
    if (last === undefined || last.args === null || chain.parts.length > 2 || !/^(?:skip|todo|fixme|pending)$/.test(last.name)) return false
    const root = chain.parts[0]?.name ?? ''
    const alone = chain.parts.length === 1
    const inside = test !== undefined && /^(?:skip|pending)$/.test(root)
    const mine = alone ? inside : [test?.context, 'this', 'ctx', 'context', 't', 'it', 'test'].includes(root)
    if (!mine) return false
    const first = partsOf(tokens, last.args)[0]
    if (first !== undefined && never.test(plainOf(tokens, first.from, first.end, 4))) return true
    const how = plainOf(tokens, chain.from, chain.end, 40).replace(/ ?([().,]) ?/g, '$1').slice(0, 80)
    const group = scopes.group()
    if (test !== undefined) test.owner.skipped ??= { how, group: null }
    else if (group !== undefined) group.skipped ??= { how, group: group.path.join(' > ') }
    else if (root !== 'this') wholeFile ??= { how, group: file }
    return true
  }

  const readCall = (at: number): void => {
    const chain = readChain(tokens, at)
    const definition = definitionOf(tokens, chain, subtest(chain) ? () => plainTest : known)
    const inside = scopes.test() !== undefined
    if (definition !== null && (definition.body !== null || (definition.named && !inside))) return define(chain, definition)
    if (skipsFromWithin(chain)) return
    const [root] = chain.parts
    const method = chain.parts.length === 1 && isMark(tokens, chain.end, '{')
    if (method && !inside && root !== undefined && root.args !== null && !control.has(root.name)) {
      return addHelper(root.name, closeOf(tokens, chain.end))
    }
    const mine = scopes.owner()
    const last = chain.parts.at(-1)
    const loop = last !== undefined && last.args !== null && loops.has(last.name) && chain.parts.length > 1
    if (mine !== undefined) note(chain, mine.owner, mine.kind === 'test' ? mine.context : null)
    if (!loop) return
    scopes.enter({ kind: 'loop', end: closeOf(tokens, last.args ?? 0), ...rowsOf(tokens, { from: at, end: chain.end }, constants) })
  }
  const note = (chain: Chain, owner: TestCase | Helper, context: string | null): void => {
    if (owner.assertions.length >= mostAssertions) return
    const why = scopes.hidden()
    for (const assertion of assertionIn(tokens, chain, context)) {
      owner.assertions.push({ ...assertion, times: scopes.repeated('owner'), ...(why === null ? {} : { level: 0 as const, why }) })
    }
    if (why === null) for (const { name } of called(chain)) owner.calls.push(name)
  }

  const declare = (at: number): void => {
    const equals = isWord(tokens, at + 1) ? soon(tokens, at + 2, (token) => token === '=') : null
    if (equals === null) return
    const name = textOf(tokens, at + 1)
    const start = textOf(tokens, equals + 1) === 'async' ? equals + 2 : equals + 1
    const arrow = textOf(tokens, start) === 'function' ? start : soon(tokens, start, (token) => token === '=>' || token === '.')
    if (arrow !== null && textOf(tokens, arrow) !== '.') {
      const block = arrow === start ? blockAfter(tokens, start) ?? start : arrow + 1
      return addHelper(name, statementEnd(tokens, block))
    }
    for (let place = equals + 1; place < Math.min(equals + 24, lengthOf(tokens)); place += 1) {
      if (place > equals + 1 && beginsLine(tokens, place) && /^\w/.test(textOf(tokens, place))) break
      if (!isWord(tokens, place) || textOf(tokens, place - 1) === '.') continue
      const chain = readChain(tokens, place)
      const alias = chain.parts.some((part) => part.name === 'extend') ? known(chain.parts[0]?.name ?? '') : aliasOf(tokens, chain, known)
      if (alias !== null && chain.parts[0]?.args === null) addAlias(name, alias)
    }
  }
  const addAlias = (name: string, { kind, skipped, focused }: Alias): void => {
    const before = aliases.get(name)
    aliases.set(name, { kind, skipped: before?.skipped ?? skipped, focused: before?.focused ?? focused })
  }

  const readStatement = (at: number, word: string): void => {
    const next = textOf(tokens, at + 1)
    if (word === 'function') {
      const name = next === '*' ? at + 2 : at + 1
      const block = isWord(tokens, name) ? blockAfter(tokens, name) : null
      if (block !== null) addHelper(textOf(tokens, name), closeOf(tokens, block))
    } else if (word === 'for' && (next === '(' || next === 'await')) {
      const open = next === '(' ? at + 1 : at + 2
      const of = directly(tokens, open, (token) => token === 'of' || token === 'in')
      const rows = of === null ? { rows: null, table: '' } : rowsOf(tokens, { from: of + 1, end: closeOf(tokens, open) }, constants)
      scopes.enter({ kind: 'loop', end: statementEnd(tokens, closeOf(tokens, open) + 1), ...rows })
    } else if (word === 'if' && next === '(' && never.test(plainOf(tokens, at + 2, closeOf(tokens, at + 1), 4))) {
      scopes.enter({ kind: 'void', end: statementEnd(tokens, closeOf(tokens, at + 1) + 1), why: reasons.untrue })
    } else if (word === 'try' && next === '{' && swallows(tokens, closeOf(tokens, at + 1))) {
      scopes.enter({ kind: 'void', end: closeOf(tokens, at + 1), why: reasons.caught })
    } else if (word === 'return') readReturn(at)
    else if (word === 'throw') readThrow(at)
  }

  const readReturn = (at: number): void => {
    const test = scopes.test()
    if (test === undefined || test.returned < at || !alwaysRuns(tokens, at, brackets, test.body)) return
    // What is returned may assert by itself.
    test.returned = beginsLine(tokens, at + 1) || tokens.kinds[at + 1] === 'close' ? at : statementEnd(tokens, at + 1)
  }
  /** `if (x !== 1) throw ...` asserts as well. */
  const readThrow = (at: number): void => {
    const close = textOf(tokens, at - 1) === '{' ? at - 2 : at - 1
    const open = textOf(tokens, close) === ')' ? tokens.pair[close] ?? 0 : 0
    const mine = scopes.owner()
    if (open < 1 || textOf(tokens, open - 1) !== 'if' || mine === undefined) return
    const text = plainOf(tokens, open - 1, close + 1)
    const assertion = { text, subject: text, level: 2 as const, why: null, bound: null, via: null, opaque: null }
    mine.owner.assertions.push({ ...assertion, times: scopes.repeated('owner') })
  }

  for (let at = 0; at < lengthOf(tokens); at += 1) {
    scopes.leaveBefore(at)
    const kind = tokens.kinds[at]
    while (brackets.length > 0 && closeOf(tokens, brackets.at(-1) ?? 0) <= at) brackets.pop()
    if (kind === 'open') {
      brackets.push(at)
      const close = closeOf(tokens, at)
      if (isMark(tokens, at, '[') && isMark(tokens, close + 1, '.') && loops.has(textOf(tokens, close + 2))) {
        scopes.enter({ kind: 'loop', end: closeOf(tokens, close + 3), ...rowsOf(tokens, { from: at, end: close + 1 }, constants) })
      }
    }
    if (kind !== 'word' || isMember(tokens, at)) continue
    const word = textOf(tokens, at)
    const renamed = word === 'as' ? known(textOf(tokens, at - 1)) : null
    if (renamed !== null && isWord(tokens, at + 1)) addAlias(textOf(tokens, at + 1), renamed)
    else if (word === 'const' || word === 'let' || word === 'var') declare(at)
    else if (statements.has(word)) readStatement(at, word)
    else if (goesOn(tokens, at + 1) && !isDefined(tokens, at)) readCall(at)
  }
  for (const test of found.tests) {
    test.skipped ??= wholeFile ?? (returnsAtOnce(test) ? { how: reasons.returned, group: null } : null)
  }
  return found
}

const returnsAtOnce = ({ assertions }: TestCase): boolean =>
  assertions.length > 0 && assertions.every(({ level }) => level === 0) && assertions.some(({ why }) => why === reasons.unreached)

/** Whether a name is followed by something that may be a call, or a part of it. */
const goesOn = (tokens: Tokens, next: number): boolean => {
  const kind = tokens.kinds[next]
  return kind === 'open' || kind === 'template' || (kind === 'mark' && '.?<!'.includes(tokens.text.charAt(tokens.from[next] ?? 0)))
}

/** Whether a name is that of the function that begins here. */
const isDefined = (tokens: Tokens, at: number): boolean =>
  at > 0 && (tokens.kinds[at - 1] === 'word' || isMark(tokens, at - 1, '*')) && /^(?:function|\*)$/.test(textOf(tokens, at - 1))

/** A try whose handler does nothing about what it caught. `close` is the end of the tried block. */
function swallows(tokens: Tokens, close: number): boolean {
  if (textOf(tokens, close + 1) !== 'catch') return false
  const handler = textOf(tokens, close + 2) === '(' ? closeOf(tokens, close + 2) + 1 : close + 2
  return !reacting.test(plainOf(tokens, handler, closeOf(tokens, handler) + 1))
}
