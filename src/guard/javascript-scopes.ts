/** What one is in while reading a file of JavaScript: groups, tests, helpers, loops, and places that never count. */
import type { Helper, Mark, TestCase } from './test-case.ts'
import { reasons, times } from './test-case.ts'

interface Place {
  end: number
}
export interface GroupScope extends Place {
  kind: 'group'
  path: string[]
  skipped: Mark | null
  focused: Mark | null
  rows: number | null
  table: string
}
export interface TestScope extends Place {
  kind: 'test'
  owner: TestCase
  path: string[]
  /** The bracket of its body, and the name of what its function is given. */
  body: number
  context: string
  /** Nothing after this token runs. */
  returned: number
  /** What comes after this token runs only where this does not hold. */
  left: { at: number; condition: string } | null
}
export interface HelperScope extends Place {
  kind: 'helper'
  owner: Helper
}
interface LoopScope extends Place {
  kind: 'loop'
  rows: number | null
  table: string
}
interface VoidScope extends Place {
  kind: 'void'
  why: string
}
interface BranchScope extends Place {
  kind: 'branch'
  condition: string
}
/** What stands between these tokens is jumped over, always or but for a condition. */
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
  /** The test or helper that what stands here belongs to. */
  owner: () => TestScope | HelperScope | undefined
  path: () => string[]
  /** How often what stands here runs within its owner, or the owner itself. */
  repeated: (of: 'owner' | 'here') => number | null
  tables: () => string
  /** Why what stands here never counts, within its owner or up to here. */
  hidden: (of: 'owner' | 'here') => string | null
  /** What must hold for what stands here to be reached, within its owner or up to here. */
  condition: (of: 'owner' | 'here') => string | null
}

/** Deeper than any real file; what is deeper belongs to the scope around it. */
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
      // In a loop or a table, one case needs another answer than the next.
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
