/** The state of one pass over a JavaScript file: what it has found, what names mean, and what surrounds a token. */
import type { Helper, Mark, TestCase, TestFile } from '../test-case.ts'
import { reasons } from '../test-case.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { mostPlaces, wordFinder } from '../syntax/tokens.ts'
import { assertNames, type AssertNames } from './assert-names.ts'
import { asyncNames, endsAtOnce, isOnlyStarted } from './promises.ts'
import { constantsOf } from './rows.ts'
import { openScopes, type Scopes } from './scopes.ts'
import { rootAlias, type Alias } from './test-calls.ts'

export interface Walk {
  file: string
  tokens: Tokens
  /** Functions that define a test with each of their calls, as an earlier pass found them. */
  wrapping: ReadonlySet<string>
  /** `wrappers`: the functions of this pass that define a test under a name from their parameters. */
  found: TestFile & { wrappers: Set<string> }
  aliases: Map<string, Alias>
  asserts: AssertNames
  constants: ReturnType<typeof constantsOf>
  placesOf: ReturnType<typeof wordFinder>
  asyncs: ReadonlySet<string>
  scopes: Scopes
  /** The open brackets around the current token. */
  brackets: number[]
  /** What keeps all tests of the file from running or from failing. */
  wholeFile: Mark | null
}

export const beginWalk = (file: string, tokens: Tokens, wrapping: ReadonlySet<string>): Walk => ({
  file,
  tokens,
  wrapping,
  found: { tests: [] as TestCase[], helpers: [] as Helper[], wrappers: new Set<string>() },
  aliases: new Map<string, Alias>(),
  asserts: assertNames(tokens),
  constants: constantsOf(tokens),
  placesOf: wordFinder(tokens),
  asyncs: asyncNames(tokens),
  scopes: openScopes(),
  brackets: [],
  wholeFile: null,
})

export const plainTest: Alias = { kind: 'test', skipped: null, focused: null }

/** Returns what a call of this name would define at the current token, or null. */
export function knownAlias({ wrapping, scopes, aliases }: Walk, name: string): Alias | null {
  if (wrapping.has(name) && scopes.owner() === undefined) return plainTest
  return aliases.get(name) ?? rootAlias(name)
}

export function addAlias({ aliases }: Walk, name: string, { kind, skipped, focused }: Alias): void {
  const before = aliases.get(name)
  aliases.set(name, { kind, skipped: before?.skipped ?? skipped, focused: before?.focused ?? focused })
}

/** Enters a function. Within a test it is no helper, but it has no effect when it is never called or never awaited. */
export function addHelper({ file, tokens, found, placesOf, asyncs, scopes }: Walk, name: string, end: number): void {
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
