/** Records the assertions and skips of the test that a Python line belongs to. */
import { isOnlyElsewhere } from '../syntax/conditions.ts'
import type { PythonLine } from './lex.ts'
import { plainOf } from '../syntax/tokens.ts'
import type { Assertion } from '../test-case.ts'
import { times } from '../test-case.ts'
import { classPath, ownerScope, type Walk } from './walk.ts'

type Judged = Omit<Assertion, 'why' | 'condition' | 'times' | 'via' | 'opaque'>

/** Adds an assertion to the open test or helper, with what the blocks around it say about it. */
export function recordAssertion(walk: Walk, assertion: Judged, opaque: string | null = null): void {
  const mine = ownerScope(walk)
  if (mine === undefined) return
  const inner = walk.scopes.slice(walk.scopes.indexOf(mine))
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

/** The open test, or the whole file outside of everything, is skipped in this way. */
export function recordSkip(walk: Walk, how: string): void {
  const mine = ownerScope(walk)
  if (walk.scopes.some(({ condition }) => condition !== undefined && isOnlyElsewhere(condition))) return
  const compact = how.replace(/ ?([().,]) ?/g, '$1').slice(0, 80)
  if (mine !== undefined && 'skipped' in mine.owner) mine.owner.skipped ??= { how: compact, group: null }
  else if (mine === undefined && walk.scopes.length === 0) walk.moduleSkip ??= { how: compact, group: walk.file }
}

/** Reads a mark that skips a whole file or class. */
export function readMark(walk: Walk, line: PythonLine): void {
  const text = plainOf(walk.tokens, line.from, line.end, 60)
  const off = /^pytestmark = .*\bmark \. (?:skip|skipif|xfail)\b|^__test__ = False$/.test(text)
  const holder = walk.scopes.at(-1)
  if (!off || (holder !== undefined && holder.kind !== 'class')) return
  const mark = {
    how: text.replace(/ ?([().,[\]]) ?/g, '$1').slice(0, 80),
    group: holder === undefined ? walk.file : classPath(walk).join(' > '),
  }
  if (holder === undefined) walk.moduleSkip ??= mark
  else {
    holder.skipped ??= mark
    for (const test of walk.defined.values()) if (test.path.at(-1) === holder.name) test.skipped ??= mark
  }
}
