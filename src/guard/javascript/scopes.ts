/** Tracks the scopes around a token of a JavaScript file: groups, tests, helpers, loops and code that has no effect. */
import type { Helper, Mark, TestCase } from '../test-case.ts'
import { reasons, times } from '../test-case.ts'

interface Extent {
  end: number
}
export interface GroupScope extends Extent {
  kind: 'group'
  path: string[]
  skipped: Mark | null
  focused: Mark | null
  rows: number | null
  table: string
}
export interface TestScope extends Extent {
  kind: 'test'
  owner: TestCase
  path: string[]
  /** The opening bracket of its body; `context` is the name of the first parameter. */
  body: number
  context: string
  /** No code after this token runs. */
  returned: number
  /** Code after `at` runs only when `condition` is false. */
  left: { at: number; condition: string } | null
}
export interface HelperScope extends Extent {
  kind: 'helper'
  owner: Helper
}
interface LoopScope extends Extent {
  kind: 'loop'
  rows: number | null
  table: string
}
interface VoidScope extends Extent {
  kind: 'void'
  why: string
}
interface BranchScope extends Extent {
  kind: 'branch'
  condition: string
}
/** Code between these tokens is skipped always, or unless `condition` holds. */
export interface Jump {
  at: number
  end: number
  condition: string | null
}
export type Scope = GroupScope | TestScope | HelperScope | LoopScope | VoidScope | BranchScope

export interface Scopes {
  enter: (scope: Scope) => void
  jump: (jump: Jump) => void
  leaveBefore: (at: number) => void
  group: () => GroupScope | undefined
  test: () => TestScope | undefined
  helper: () => HelperScope | undefined
  /** Returns the innermost test or helper. */
  owner: () => TestScope | HelperScope | undefined
  path: () => string[]
  /** Returns how often this code runs: within its owner, or in all enclosing scopes. */
  repeated: (of: 'owner' | 'here') => number | null
  tables: () => string
  /** Returns why this code has no effect: within its owner, or in all enclosing scopes. */
  hidden: (of: 'owner' | 'here') => string | null
  /** Returns the condition to reach this code: within its owner, or in all enclosing scopes. */
  condition: (of: 'owner' | 'here') => string | null
}

/** Limit on nesting; deeper code belongs to the scope around it. */
const deepest = 60

export function openScopes(): Scopes {
  const scopes: Scope[] = []
  const jumps: Jump[] = []
  let here = 0
  const test = (): TestScope | undefined => scopes.findLast((scope) => scope.kind === 'test')
  const helper = (): HelperScope | undefined => scopes.findLast((scope) => scope.kind === 'helper')
  const owner = (): TestScope | HelperScope | undefined =>
    scopes.findLast((scope) => scope.kind === 'test' || scope.kind === 'helper')
  const inner = (): Scope[] => {
    const mine = owner()
    return mine === undefined ? scopes : scopes.slice(scopes.indexOf(mine) + 1)
  }
  const jumped = (fits: (jump: Jump) => boolean): Jump | undefined =>
    jumps.find((jump) => jump.at < here && here <= jump.end && fits(jump))
  const product = (list: Scope[]): number | null =>
    list.reduce<number | null>(
      (all, scope) => (scope.kind === 'loop' || scope.kind === 'group' ? times(all, scope.rows) : all),
      1,
    )
  return {
    test,
    helper,
    owner,
    enter: (scope) => {
      if (scopes.length < deepest) scopes.push({ ...scope, end: Math.min(scope.end, scopes.at(-1)?.end ?? Infinity) })
    },
    jump: (jump) => {
      if (jumps.length < deepest) jumps.push(jump)
    },
    leaveBefore: (at) => {
      here = at
      while ((jumps.at(-1)?.end ?? Infinity) < at) jumps.pop()
      while ((scopes.at(-1)?.end ?? Infinity) < at) scopes.pop()
    },
    group: () => scopes.findLast((scope) => scope.kind === 'group'),
    path: () => scopes.findLast((scope) => scope.kind === 'group' || scope.kind === 'test')?.path ?? [],
    repeated: (of) => product(of === 'here' ? scopes : inner()),
    tables: () =>
      scopes
        .map((scope) => (scope.kind === 'loop' || scope.kind === 'group' ? scope.table : ''))
        .filter(Boolean)
        .join('\n'),
    hidden: (of) => {
      const mine = owner()
      if (mine?.kind === 'test' && mine.returned < here) return reasons.unreached
      if (jumped(({ condition }) => condition === null) !== undefined) return reasons.jumped
      return (of === 'here' ? scopes : inner()).find((scope) => scope.kind === 'void')?.why ?? null
    },
    condition: (of) => {
      const mine = owner()
      const around = of === 'here' ? scopes : inner()
      // In a loop or table, a condition usually distinguishes the cases.
      const cases = around.some(({ kind }) => kind === 'loop') || (mine?.kind === 'test' && mine.owner.rows !== 1)
      if (of === 'owner' && cases) return null
      if (of === 'owner' && mine?.kind === 'test' && mine.left !== null && mine.left.at < here)
        return `! ( ${mine.left.condition} )`
      return (
        around.find((scope) => scope.kind === 'branch')?.condition
        ?? jumped(({ condition }) => condition !== null)?.condition
        ?? null
      )
    },
  }
}
