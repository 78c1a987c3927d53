/** The names that a file gives to functions of assertion modules: `import { equal as same } from 'assert'`. */
import type { Tokens } from '../syntax/tokens.ts'
import { closeOf, contentOf, isMark, isWord, lengthOf, partsOf, textOf } from '../syntax/tokens.ts'
import type { Chain } from '../syntax/chain.ts'

const modules = /^(?:(?:node:)?assert(?:\/strict)?|uvu\/assert|power-assert)$/
/** Exports that are the module itself. */
const whole = new Set(['default', 'strict', 'assert'])
const longestClause = 200

/** By local name, the function of the module; "assert" for the module itself. */
export type AssertNames = ReadonlyMap<string, string>

export function assertNames(tokens: Tokens): AssertNames {
  const names = new Map<string, string>()
  for (let at = 2; at < lengthOf(tokens); at += 1) {
    if (tokens.kinds[at] !== 'string' || !modules.test(contentOf(tokens, at))) continue
    if (textOf(tokens, at - 1) === 'from') readImport(tokens, at - 1, names)
    else if (isMark(tokens, at - 1, '(') && textOf(tokens, at - 2) === 'require') readRequire(tokens, at - 2, names)
  }
  return names
}

function add(names: Map<string, string>, local: string, exported: string): void {
  names.set(local, whole.has(exported) ? 'assert' : exported)
}

/** `import a, * as b from`, `import { c, d as e } from`: from the back. */
function readImport(tokens: Tokens, from: number, names: Map<string, string>): void {
  for (let at = from - 1; at > from - longestClause && at >= 0 && textOf(tokens, at) !== 'import'; at -= 1) {
    if (tokens.kinds[at] === 'close') {
      const open = tokens.pair[at] ?? at
      readNames(tokens, open, 'as', names)
      at = open
    } else if (isWord(tokens, at) && !/^(?:as|type)$/.test(textOf(tokens, at)))
      add(names, textOf(tokens, at), 'default')
  }
}

/** `const a = require`, `const { b: c } = require`. */
function readRequire(tokens: Tokens, call: number, names: Map<string, string>): void {
  if (!isMark(tokens, call - 1, '=')) return
  const target = call - 2
  if (isWord(tokens, target)) {
    const member = closeOf(tokens, call + 1) + 1
    const exported = isMark(tokens, member, '.') ? textOf(tokens, member + 1) : 'default'
    add(names, textOf(tokens, target), exported)
  } else if (tokens.kinds[target] === 'close') readNames(tokens, tokens.pair[target] ?? target, ':', names)
}

function readNames(tokens: Tokens, open: number, between: string, names: Map<string, string>): void {
  for (const { from, end } of partsOf(tokens, open)) {
    const isRenamed = end - from === 3 && textOf(tokens, from + 1) === between
    if (isRenamed || end - from === 1) add(names, textOf(tokens, end - 1), textOf(tokens, from))
  }
}

/** The chain as it would be with the usual name: `assert.equal(…)` for `same(…)` and `a.equal(…)`. */
export function withAssertName(chain: Chain, names: AssertNames): Chain {
  const [root, ...rest] = chain.parts
  const exported = root === undefined ? undefined : names.get(root.name)
  if (root === undefined || exported === undefined) return chain
  if (exported === 'assert') return { ...chain, parts: [{ ...root, name: 'assert' }, ...rest] }
  const module = { name: 'assert', args: null, template: null }
  return { ...chain, parts: [module, { ...root, name: exported }, ...rest] }
}
