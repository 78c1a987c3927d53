/** Reads the tests, assertions and helpers of a JavaScript or TypeScript file. */
import type { Chain } from './chain.ts'
import { beginsLine, called, readChain } from './chain.ts'
import { assertionIn } from './javascript-assertions.ts'
import {
  blockAfter,
  bodyOf,
  directly,
  endsBlock,
  soon,
  statementEnd,
  whenReached,
  whenRuns,
} from './javascript-blocks.ts'
import { isHereToo, isOnlyElsewhere, truthOf } from './conditions.ts'
import { constantsOf, rowsOf, tableRows } from './javascript-rows.ts'
import { jumpFrom, jumpsOfSwitch, reacting } from './javascript-jumps.ts'
import {
  asyncNames,
  endsAtOnce,
  isAsyncAt,
  isDropped,
  isOnlyStarted,
  isPromise,
  isStartedHere,
} from './javascript-promises.ts'
import { openScopes } from './javascript-scopes.ts'
import type { Alias, Definition } from './javascript-tests.ts'
import { aliasOf, definitionOf, rootAlias } from './javascript-tests.ts'
import { lexJavaScript } from './lex-javascript.ts'
import type { Helper, Mark, TestCase, TestFile } from './test-case.ts'
import { longestBody, mostAssertions, reasons, times } from './test-case.ts'
import type { Tokens } from './tokens.ts'
import {
  closeOf,
  isMark,
  isMember,
  isWord,
  lengthOf,
  partsOf,
  plainOf,
  sliceOf,
  textOf,
  wordFinder,
  mostPlaces,
} from './tokens.ts'

const plainTest: Alias = { kind: 'test', skipped: null, focused: null }
const loops = new Set(['forEach', 'map', 'every', 'some'])
const control = new Set(['while', 'switch', 'catch', 'with', 'super', 'await', 'typeof'])
const statements = new Set(['function', 'for', 'if', 'while', 'try', 'return', 'throw', 'break', 'continue', 'switch'])
const replaceable = new Set(['it', 'test', 'describe', 'expect', 'assert'])
const doingNothing = /\bProxy\b|=> (?:\{ \}|\( \{ \} \)|undefined|null|true)$/
const later = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'requestAnimationFrame'])
/** Tokens that show that the value of a variable is a function, or that it is not. */
const endsValue = new Set(['=>', '.', 'const', 'let', 'var', 'await', 'return'])
const never = /^(?:false|0|! true|null)$/

export function readJavaScript(file: string, text: string): TestFile {
  const tokens = lexJavaScript(text, !/\.[cm]?ts$/.test(file))
  const first = walk(file, tokens, new Set())
  // A function that defines a test under a name from its parameters makes each of its calls a test, so walk again.
  return first.wrappers.size === 0 ? first : walk(file, tokens, first.wrappers)
}

function walk(file: string, tokens: Tokens, wrapping: ReadonlySet<string>): TestFile & { wrappers: Set<string> } {
  const found = { tests: [] as TestCase[], helpers: [] as Helper[], wrappers: new Set<string>() }
  const aliases = new Map<string, Alias>()
  const constants = constantsOf(tokens)
  const placesOf = wordFinder(tokens)
  const asyncs = asyncNames(tokens)
  const scopes = openScopes()
  const brackets: number[] = []
  let wholeFile: Mark | null = null

  const known = (name: string): Alias | null => {
    if (wrapping.has(name) && scopes.owner() === undefined) return plainTest
    return aliases.get(name) ?? rootAlias(name)
  }
  /** Whether the chain is `t.test('...', ...)` within a test. */
  const subtest = ({ parts: [root, second, ...more] }: Chain): boolean =>
    more.length === 0 && second?.name === 'test' && root?.name === scopes.test()?.context

  const addHelper = (name: string, end: number): void => {
    const test = scopes.test()
    if (test !== undefined) {
      const [, ...others] = placesOf(name, test.body, test.end)
      const started =
        asyncs.has(name) && endsAtOnce(test) && others.length < mostPlaces - 1 && isOnlyStarted(tokens, others)
      if (others.length === 0) scopes.enter({ kind: 'void', end, why: reasons.uncalled })
      else if (started) scopes.enter({ kind: 'void', end, why: reasons.unawaited })
      return
    }
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
    const { rows, table } =
      definition.table === null ? { rows: 1, table: '' } : tableRows(tokens, definition.table, constants)
    if (definition.kind === 'hook') addHelper([...path, definition.name].join(' > '), end)
    else if (definition.kind === 'group') {
      scopes.enter({ kind: 'group', end, path: [...path, definition.name], skipped, focused, rows, table })
    } else {
      const { body } = definition
      const root = chain.parts[0]?.name ?? ''
      const wrapped = wrapping.has(root)
      const owner: TestCase = {
        file,
        path,
        name: definition.name,
        skipped: skipped ?? (body === null && !wrapped ? mark('a test without a body') : null),
        focused,
        gate: definition.retries === null ? gateHere() : `{ retry: ${definition.retries} }`,
        rows: times(rows, scopes.repeated('here')),
        assertions: [],
        calls: [],
        body: sliceOf(tokens, body?.from ?? chain.from, end).slice(0, longestBody),
        table: [table, scopes.tables()].filter(Boolean).join('\n'),
      }
      if (body !== null && body.end === body.from + 1) owner.calls.push(textOf(tokens, body.from))
      if (wrapped) owner.calls.push(root)
      const helper = scopes.helper()
      if (helper !== undefined && !definition.named) found.wrappers.add(helper.owner.name)
      // The test inside a wrapper counts once per call of the wrapper instead.
      if (helper === undefined || definition.named) found.tests.push(owner)
      else if (wrapping.size > 0) return
      scopes.enter({
        kind: 'test',
        end,
        owner,
        path: [...path, definition.name],
        returned: Infinity,
        left: null,
        ...bodyOf(tokens, body),
      })
    }
  }

  const gateHere = (): string | null => {
    if (scopes.test() !== undefined) return null
    const condition = scopes.condition('here')
    return scopes.hidden('here') ?? (condition === null ? null : `only if ${condition.slice(0, 80)}`)
  }

  /**
   * Handles `this.skip()`, `t.skip('why')` and `test.skip(condition)`, which skip the surrounding test, group or file.
   */
  const skipsFromWithin = (chain: Chain): boolean => {
    const last = chain.parts.at(-1)
    const test = scopes.test()
    if (
      last === undefined
      || last.args === null
      || chain.parts.length > 2
      || !/^(?:skip|todo|fixme|pending)$/.test(last.name)
    )
      return false
    const root = chain.parts[0]?.name ?? ''
    const alone = chain.parts.length === 1
    const inside = test !== undefined && /^(?:skip|pending)$/.test(root)
    const mine = alone ? inside : [test?.context, 'this', 'ctx', 'context', 't', 'it', 'test'].includes(root)
    if (!mine) return false
    const first = partsOf(tokens, last.args)[0]
    const asked = first === undefined ? '' : plainOf(tokens, first.from, first.end, 20)
    if (never.test(asked) || isOnlyElsewhere(asked) || isOnlyElsewhere(scopes.condition('here') ?? '')) return true
    const how = plainOf(tokens, chain.from, chain.end, 40)
      .replace(/ ?([().,]) ?/g, '$1')
      .slice(0, 80)
    const group = scopes.group()
    if (test !== undefined) test.owner.skipped ??= { how, group: null }
    else if (group !== undefined) group.skipped ??= { how, group: group.path.join(' > ') }
    else if (root !== 'this') wholeFile ??= { how, group: file }
    return true
  }

  const readCall = (at: number): void => {
    const chain = readChain(tokens, at)
    const definition = definitionOf(tokens, chain, subtest(chain) ? () => plainTest : known, constants)
    const inside = scopes.test() !== undefined
    if (definition !== null && (definition.body !== null || (definition.named && !inside)))
      return define(chain, definition)
    if (skipsFromWithin(chain)) return
    const [root] = chain.parts
    readEnding(chain)
    const method = chain.parts.length === 1 && isMark(tokens, chain.end, '{')
    if (method && !inside && root !== undefined && root.args !== null && !control.has(root.name)) {
      return addHelper(root.name, closeOf(tokens, chain.end))
    }
    const mine = scopes.owner()
    const last = chain.parts.at(-1)
    const loop = last !== undefined && last.args !== null && loops.has(last.name) && chain.parts.length > 1
    if (mine !== undefined) note(chain, mine.owner, mine.kind === 'test' ? mine.context : null)
    const unheard = mine === undefined ? null : unheardOf(chain)
    if (unheard !== null) scopes.enter({ kind: 'void', end: chain.end - 1, why: unheard })
    if (!loop) return
    readEach(last.args ?? 0)
    scopes.enter({
      kind: 'loop',
      end: closeOf(tokens, last.args ?? 0),
      ...rowsOf(tokens, { from: at, end: chain.end }, constants),
    })
  }
  /** Ending the process with exit code 0 hides all failures of the file. */
  const readEnding = ({ parts: [root, second] }: Chain): void => {
    if (
      root?.name !== 'process'
      || second === undefined
      || !/^(?:exit|reallyExit)$/.test(second.name)
      || second.args === null
    )
      return
    const code = plainOf(tokens, second.args + 1, closeOf(tokens, second.args), 4)
    if (/^0?$/.test(code)) wholeFile ??= { how: `${root.name}.${second.name}(0)`, group: file }
  }
  /** Returns why failures inside the chain go unnoticed, or null. */
  const unheardOf = (chain: Chain): string | null => {
    const [root] = chain.parts
    const caught = chain.parts.find(({ name, args }) => name === 'catch' && args !== null)?.args ?? null
    const handler = caught === null || root?.name === 'expect' ? null : plainOf(tokens, caught, closeOf(tokens, caught))
    if (handler !== null && !reacting.test(handler)) return reasons.caught
    const test = scopes.test()
    const timed = later.has(root?.name ?? '') && test?.context === ''
    const dropped = (): boolean => isPromise(tokens, chain) && endsAtOnce(test) && isDroppedHere(chain)
    return (timed || dropped()) && !isPromised() ? reasons.unawaited : null
  }
  const isDroppedHere = (chain: Chain): boolean => {
    const test = scopes.test()
    return test !== undefined && isDropped(tokens, chain, (name) => placesOf(name, test.body, test.end).length)
  }
  const isPromised = (): boolean => brackets.slice(-20).some((open) => textOf(tokens, open - 1) === 'Promise')
  /** `forEach` does not await its callback. */
  const readEach = (args: number): void => {
    if (textOf(tokens, args - 1) !== 'forEach' || !isAsyncAt(tokens, args) || !endsAtOnce(scopes.test())) return
    scopes.enter({ kind: 'void', end: closeOf(tokens, args), why: reasons.unawaited })
  }
  const note = (chain: Chain, owner: TestCase | Helper, context: string | null): void => {
    if (owner.assertions.length >= mostAssertions) return
    const reached = whenReached(tokens, chain.from)
    const asynchronous = chain.parts.length === 1 && asyncs.has(chain.parts[0]?.name ?? '')
    const started = asynchronous && endsAtOnce(scopes.test()) && isDroppedHere(chain) && !isPromised()
    const why =
      scopes.hidden('owner') ?? (reached?.never === true ? reasons.untrue : started ? reasons.unawaited : null)
    const condition = reached?.condition ?? scopes.condition('owner')
    for (const assertion of assertionIn(tokens, chain, context)) {
      const times = scopes.repeated('owner')
      owner.assertions.push({ ...assertion, condition, times, ...(why === null ? {} : { level: 0 as const, why }) })
    }
    if (why === null) for (const { name } of called(chain)) owner.calls.push(name)
  }

  const declare = (at: number): void => {
    const equals = isWord(tokens, at + 1) ? soon(tokens, at + 2, (token) => token === '=') : null
    if (equals === null) return
    const name = textOf(tokens, at + 1)
    const value = replaceable.has(name) ? plainOf(tokens, equals + 1, statementEnd(tokens, equals + 1) + 1, 60) : ''
    if (doingNothing.test(value)) wholeFile ??= { how: `${name} is replaced by what does nothing`, group: file }
    const start = textOf(tokens, equals + 1) === 'async' ? equals + 2 : equals + 1
    const arrow = textOf(tokens, start) === 'function' ? start : soon(tokens, start, (token) => endsValue.has(token))
    if (arrow !== null && /^(?:=>|function)$/.test(textOf(tokens, arrow))) {
      const block = arrow === start ? (blockAfter(tokens, start) ?? start) : arrow + 1
      return addHelper(name, statementEnd(tokens, block))
    }
    for (let place = equals + 1; place < Math.min(equals + 24, lengthOf(tokens)); place += 1) {
      if (place > equals + 1 && beginsLine(tokens, place) && /^\w/.test(textOf(tokens, place))) break
      if (!isWord(tokens, place) || textOf(tokens, place - 1) === '.') continue
      const chain = readChain(tokens, place)
      const alias = chain.parts.some((part) => part.name === 'extend')
        ? known(chain.parts[0]?.name ?? '')
        : aliasOf(tokens, chain, known)
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
      const rows =
        of === null
          ? { rows: null, table: '' }
          : rowsOf(tokens, { from: of + 1, end: closeOf(tokens, open) }, constants)
      scopes.enter({ kind: 'loop', end: statementEnd(tokens, closeOf(tokens, open) + 1), ...rows })
    } else if ((word === 'if' || word === 'while') && next === '(') readCondition(at, word)
    else if (word === 'try' && next === '{' && swallows(tokens, closeOf(tokens, at + 1))) {
      scopes.enter({ kind: 'void', end: closeOf(tokens, at + 1), why: reasons.caught })
    } else if (word === 'return') readReturn(at)
    else if (word === 'throw') readThrow(at)
    else if (word === 'break' || word === 'continue') {
      const jump = jumpFrom(tokens, at, brackets)
      if (jump !== null) scopes.jump(jump)
    } else if (word === 'switch' && next === '(') for (const jump of jumpsOfSwitch(tokens, at)) scopes.jump(jump)
  }

  const readCondition = (at: number, word: string): void => {
    const close = closeOf(tokens, at + 1)
    const condition = plainOf(tokens, at + 2, close, 40)
    const truth = truthOf(condition)
    const end = statementEnd(tokens, close + 1)
    if (truth === false) scopes.enter({ kind: 'void', end, why: reasons.untrue })
    if (truth !== null || word !== 'if' || isHereToo(condition)) return
    // When both branches assert, one of the assertions always runs.
    const other = textOf(tokens, end + 1) === 'else' ? plainOf(tokens, end + 2, statementEnd(tokens, end + 2) + 1) : ''
    if (!reacting.test(other)) scopes.enter({ kind: 'branch', end, condition })
  }

  const readReturn = (at: number): void => {
    const test = scopes.test()
    const block = brackets.at(-1)
    const bare = beginsLine(tokens, at + 1) || tokens.kinds[at + 1] === 'close' || isMark(tokens, at + 1, ';')
    if (bare && block !== test?.body && scopes.owner() !== undefined && endsBlock(tokens, at, block)) {
      scopes.enter({ kind: 'void', end: closeOf(tokens, block), why: reasons.unreached })
    }
    const when = test === undefined || test.returned < at ? null : whenRuns(tokens, at, brackets, test.body)
    if (test === undefined || when === null) return
    if (when.condition !== null) {
      if (bare) test.left ??= { at, condition: when.condition }
      return
    }
    // The returned expression may itself assert.
    test.returned = beginsLine(tokens, at + 1) || tokens.kinds[at + 1] === 'close' ? at : statementEnd(tokens, at + 1)
  }
  /** `if (x !== 1) throw ...` counts as an assertion. */
  const readThrow = (at: number): void => {
    const close = textOf(tokens, at - 1) === '{' ? at - 2 : at - 1
    const open = textOf(tokens, close) === ')' ? (tokens.pair[close] ?? 0) : 0
    const mine = scopes.owner()
    if (open < 1 || textOf(tokens, open - 1) !== 'if' || mine === undefined) return
    const text = plainOf(tokens, open - 1, close + 1)
    const assertion = {
      text,
      subject: text,
      level: 2 as const,
      why: null,
      condition: null,
      bound: null,
      via: null,
      opaque: null,
    }
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
        readEach(close + 3)
        scopes.enter({
          kind: 'loop',
          end: closeOf(tokens, close + 3),
          ...rowsOf(tokens, { from: at, end: close + 1 }, constants),
        })
      }
      if (isStartedHere(tokens, at) && endsAtOnce(scopes.test()))
        scopes.enter({ kind: 'void', end: close, why: reasons.unawaited })
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
  assertions.length > 0
  && assertions.every(({ level }) => level === 0)
  && assertions.some(({ why }) => why === reasons.unreached)

/** Whether the token after a name can continue to a call. */
const goesOn = (tokens: Tokens, next: number): boolean => {
  const kind = tokens.kinds[next]
  return (
    kind === 'open'
    || kind === 'template'
    || (kind === 'mark' && '.?<!'.includes(tokens.text.charAt(tokens.from[next] ?? 0)))
  )
}

/** Whether the name is that of a function definition. */
const isDefined = (tokens: Tokens, at: number): boolean =>
  at > 0
  && (tokens.kinds[at - 1] === 'word' || isMark(tokens, at - 1, '*'))
  && /^(?:function|\*)$/.test(textOf(tokens, at - 1))

/** Whether the handler of a `try` ignores the error. `close` is the end of the tried block. */
function swallows(tokens: Tokens, close: number): boolean {
  const caught = textOf(tokens, close + 1) === 'catch'
  const handler = !caught || textOf(tokens, close + 2) !== '(' ? close + 2 : closeOf(tokens, close + 2) + 1
  const last = caught ? closeOf(tokens, handler) : close
  // A `return` in `finally` discards the error.
  if (textOf(tokens, last + 1) === 'finally' && directly(tokens, last + 2, (token) => token === 'return') !== null)
    return true
  return caught && !reacting.test(plainOf(tokens, handler, closeOf(tokens, handler) + 1))
}
