/** Detects the JavaScript calls that define tests or groups, and the variants that keep them from running. */
import type { Chain, Part } from '../syntax/chain.ts'
import { isHereToo, isOnlyElsewhere } from '../syntax/conditions.ts'
import type { Span, Tokens } from '../syntax/tokens.ts'
import { contentOf, partsOf, plainOf, textOf, after } from '../syntax/tokens.ts'
import { constantAt, type Constants } from './rows.ts'

export interface Definition {
  kind: 'test' | 'group' | 'hook'
  name: string
  named: boolean
  /** The opening bracket of the arguments; `body` is the function among them. */
  args: number
  body: Span | null
  /** The part with its table: `each` or `for`. */
  table: Part | null
  skipped: string | null
  focused: string | null
  /** How often it is retried before it counts as failed. */
  retries: string | null
}

/** The meaning of a variable such as `const maybe = docker ? it : it.skip`. */
export interface Alias {
  kind: 'test' | 'group'
  skipped: string | null
  focused: string | null
}

const groups = new Set(['describe', 'context', 'suite'])
const tests = new Set(['it', 'test', 'specify'])
const frameworks = new Set(['Deno', 'QUnit', 'tap', 'bun'])
const hooks = new Set(['before', 'after', 'beforeEach', 'afterEach', 'beforeAll', 'afterAll', 'setup', 'teardown'])
const keeping = new Set([
  'each',
  'for',
  'concurrent',
  'sequential',
  'serial',
  'parallel',
  'shuffle',
  'slow',
  'module',
  '',
])
const skipping = new Set(['skip', 'todo', 'fixme', 'fails', 'failing', 'fail', 'pending'])
const configured = new Set(['each', 'for', 'skipIf', 'runIf', 'if'])

export function rootAlias(name: string): Alias | null {
  const plain = name.replace(/^[xf](?=it$|test$|specify$|describe$|context$)/, '')
  if (!tests.has(plain) && !groups.has(plain)) return null
  const prefix = plain === name ? '' : name.charAt(0)
  return {
    kind: groups.has(plain) ? 'group' : 'test',
    skipped: prefix === 'x' ? name : null,
    focused: prefix === 'f' ? name : null,
  }
}

/**
 * Returns what a call of the chain would define: `it.only`, `test.describe`, `t.test`. Null when it defines nothing.
 */
export function aliasOf(
  tokens: Tokens,
  chain: Chain,
  known: (name: string) => Alias | null,
): (Alias & { hook: boolean }) | null {
  const [root, ...rest] = chain.parts
  if (root === undefined) return null
  const start =
    known(root.name) ?? (frameworks.has(root.name) ? { kind: 'test' as const, skipped: null, focused: null } : null)
  if (start === null || (frameworks.has(root.name) && rest.length === 0)) return null
  const alias = { ...start, hook: false }
  if (root.args !== null || root.template !== null) return alias
  for (const part of rest) {
    if (groups.has(part.name) || part.name === 'module') alias.kind = 'group'
    else if (hooks.has(part.name)) alias.hook = true
    else if (skipping.has(part.name)) alias.skipped = `${root.name}.${part.name}`
    else if (part.name === 'only') alias.focused = `${root.name}.only`
    else if (part.name === 'skipIf' && !isFalse(tokens, part)) alias.skipped = conditional(tokens, root, part)
    else if ((part.name === 'runIf' || part.name === 'if') && !isTrue(tokens, part))
      alias.skipped = conditional(tokens, root, part)
    else if (!keeping.has(part.name) && !configured.has(part.name) && !tests.has(part.name)) return null
    if ((part.args !== null || part.template !== null) && !configured.has(part.name)) break
  }
  return alias
}

const unset = /^(?:false|undefined|null|0)$/

type Known = (name: string) => Alias | null

export function definitionOf(tokens: Tokens, chain: Chain, known: Known, constants: Constants): Definition | null {
  const hook = hooks.has(chain.parts[0]?.name ?? '') && chain.parts.length === 1
  const alias = hook ? { kind: 'test' as const, skipped: null, focused: null, hook } : aliasOf(tokens, chain, known)
  const call = chain.parts.find(({ name, args }) => args !== null && !configured.has(name))
  if (alias === null || call === undefined || call.args === null) return null
  const args = partsOf(tokens, call.args)
  const body = args.find((part) => isFunction(tokens, part)) ?? (args.length > 1 ? lastName(tokens, args) : null)
  const options = args.flatMap((part): Span[] => {
    if (textOf(tokens, part.from) === '{') return [part]
    const object = part.end === part.from + 1 ? constantAt(constants, textOf(tokens, part.from), part.from) : undefined
    return object === undefined || textOf(tokens, object) !== '{' ? [] : [{ from: object, end: object + 1 }]
  })
  const option = (name: string): string | null => {
    const values = options.map((part) => propertyOf(tokens, part, name))
    return values.find((value) => value !== null && !unset.test(value) && !isOnlyElsewhere(value)) ?? null
  }
  const named = args[0] !== undefined && /^(?:string|template)$/.test(tokens.kinds[args[0].from] ?? '')
  const skipOption = ['skip', 'todo', 'fails', 'ignore'].find((name) => option(name) !== null)
  return {
    kind: alias.hook ? 'hook' : alias.kind,
    named,
    args: call.args,
    body,
    name: alias.hook ? (chain.parts.at(-1)?.name ?? '') : nameOf(tokens, args[0], body),
    table:
      chain.parts.find((part) => /^(?:each|for)$/.test(part.name) && (part.args ?? part.template) !== null) ?? null,
    skipped: alias.skipped ?? (skipOption === undefined ? null : `{ ${skipOption}: ${option(skipOption)} }`),
    focused: alias.focused ?? (option('only') === null ? null : '{ only: true }'),
    retries: option('retry') ?? option('retries'),
  }
}

function nameOf(tokens: Tokens, first: Span | undefined, body: Span | null): string {
  if (first === undefined) return ''
  if (tokens.kinds[first.from] === 'string') return contentOf(tokens, first.from)
  if (first === body) {
    const start = textOf(tokens, first.from)
    const name = textOf(tokens, start === 'async' ? first.from + 2 : first.from + 1)
    return start === 'function' || start === 'async' ? name.replace('(', '') : ''
  }
  return plainOf(tokens, first.from, first.end)
    .replace(/^`([^`]*)`$/, '$1')
    .slice(0, 200)
}

function isFunction(tokens: Tokens, part: Span): boolean {
  for (let at = part.from; at < part.end; at = after(tokens, at)) {
    const token = textOf(tokens, at)
    if (token === '=>' || token === 'function') return true
  }
  return false
}

/** In `it('adds', addsNumbers)`, the function is defined elsewhere. */
function lastName(tokens: Tokens, args: Span[]): Span | null {
  const last = args.slice(1).find((part) => part.end === part.from + 1 && tokens.kinds[part.from] === 'word')
  return last ?? null
}

function propertyOf(tokens: Tokens, object: Span, name: string): string | null {
  const property = partsOf(tokens, object.from).find(
    (part) => textOf(tokens, part.from).replace(/^["']|["']$/g, '') === name,
  )
  if (property === undefined) return null
  return property.end === property.from + 1 ? name : plainOf(tokens, property.from + 2, property.end)
}

const condition = (tokens: Tokens, part: Part): string => {
  const first = part.args === null ? undefined : partsOf(tokens, part.args)[0]
  return first === undefined ? '' : plainOf(tokens, first.from, first.end, 40)
}
const isFalse = (tokens: Tokens, part: Part): boolean => {
  const text = condition(tokens, part)
  return /^(?:false|0|null|undefined|! true)$/.test(text) || isOnlyElsewhere(text)
}
const isTrue = (tokens: Tokens, part: Part): boolean =>
  /^(?:true|1|! false)$/.test(condition(tokens, part)) || isHereToo(condition(tokens, part))
const conditional = (tokens: Tokens, root: Part, part: Part): string =>
  `${root.name}.${part.name}(${condition(tokens, part).slice(0, 60)})`
