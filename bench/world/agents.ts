/**
 * The agents of a world, the same for every policy: who writes, who runs checks and tells what came of it, and who only
 * looks.
 */
import type { Random } from '../../src/simulation/random.ts'
import { isBroken, markers, type Change, type Tree } from './tree.ts'
import { checkOf, lint, suite, type World } from './world.ts'

export interface Brief {
  task: string
  tree: Tree
  agent: string
  /** It repairs its own earlier work. */
  fix?: boolean
  /** What it knows of earlier tries: nothing, how they failed, or that another approach is wanted. */
  given?: 'nothing' | 'failure' | 'approach'
  /** How many turns its session has had before this one. */
  stale?: number
}

export interface Written {
  tree: Tree
  /** It says that the task is complete. */
  claims: boolean
}

const turnsAway = { nothing: 0.1, failure: 0.4, approach: 0.9 } as const
/**
 * A reader sees wrong work in front of him, damage done elsewhere, weakened tests; and finds fault with what is right.
 */
export const eye = { wrong: 0.75, elsewhere: 0.35, weakened: 0.5, falseAlarm: 0.04 } as const
/** Wrong work that convinces every reader. */
const convincing = 0.1
/**
 * Chances that an agent runs the checks it is asked to run, recognizes a failure of the base, and reruns a flaky check.
 */
const hand = { runs: 0.92, knowsLegacy: 0.7, knowsFlake: 0.5 } as const

export function createAgents(world: World) {
  const { level, tasks } = world
  const approaches = new Map<string, number>()
  let version = 0
  const put = (tree: Tree, change: Omit<Change, 'version'>): Tree => ({
    ...tree,
    [change.task]: { ...change, version: ++version },
  })

  /** One turn of a coder. */
  function code({ task: id, tree: before, agent, fix = false, given = 'nothing', stale = 0 }: Brief): Written {
    const draw = world.again(`code ${id} ${agent}`)
    const task = tasks.get(id)
    if (!task) throw new Error(`no task ${id}`)
    const away = draw.chance(turnsAway[given] * (stale > 0 ? 0.5 : 1))
    if (away && given !== 'nothing') approaches.set(id, (approaches.get(id) ?? 0) + 1)
    const { [markers]: conflict, ...tree } = before
    const own = tree[id]
    const gap = fix ? gapAround(id, tree) : null
    const nothingToRepair =
      fix
      && !conflict
      && gap === null
      && own !== undefined
      && own.breaks.length === 0
      && !own.weakened
      && world.works(tree, id)
    const luck = draw.next()
    if (nothingToRepair) return { tree: put(tree, { ...own, good: luck < 0.92 }), claims: true }
    const trapped =
      task.trap === 'size'
      || (task.trap === 'agent' && agent === 'a')
      || (task.trap === 'approach' && !approaches.get(id))
    const ground = task.dependsOn.every((dependency) => world.works(tree, dependency)) ? 1 : 0.3
    const likely = trapped ? (task.trap === 'size' ? 0.03 : 0) : task.chance * ground * 0.93 ** stale
    if (luck < likely) {
      const done = repair(put(tree, sound(id, draw, fix)), id)
      return { tree: gap === null ? done : put(done, sound(gap, draw, true)), claims: draw.chance(0.97) }
    }
    if (gap !== null) return { tree, claims: draw.chance(level.lies) }
    return fail(tree, id, draw, conflict !== undefined)
  }

  /** The split task whose parts all work while it does not: something was left out. */
  function gapAround(id: string, tree: Tree): string | null {
    const parent = tasks.get(id)?.parent ?? null
    const split = parent === null ? undefined : world.splits.get(parent)
    if (parent === null || !split || !split.children.every((child) => world.works(tree, child))) return null
    return world.works(tree, parent) ? gapAround(parent, tree) : parent
  }

  const sound = (task: string, draw: Random, fix: boolean): Omit<Change, 'version'> => ({
    task,
    good: true,
    shows: true,
    weakened: false,
    breaks: draw.chance(level.breaks * (fix ? 0.5 : 1)) ? [victim(task, draw)] : [],
  })

  /** Anything else that was asked for, or what was there before. */
  const victim = (task: string, draw: Random): string => {
    const others = [...tasks.keys()].filter(
      (id) => id !== task && !world.splits.has(id) && tasks.get(id)?.parent !== task && id !== tasks.get(task)?.parent,
    )
    return draw.pick(['base', ...others])
  }

  /** An agent that completes a task sees its check, and so repairs the damage that other changes did to it. */
  function repair(tree: Tree, id: string): Tree {
    const guilty = Object.values(tree).filter(({ task, breaks }) => task !== id && breaks.includes(id))
    return guilty.reduce(
      (now, change) => put(now, { ...change, breaks: change.breaks.filter((broken) => broken !== id) }),
      tree,
    )
  }

  function fail(tree: Tree, id: string, draw: Random, conflict: boolean): Written {
    const claims = draw.chance(level.lies)
    if (draw.chance(level.empty) && !conflict) return { tree, claims }
    const wrong = {
      task: id,
      good: false,
      shows: !draw.chance(level.unseen),
      weakened: draw.chance(level.weakens),
      breaks: [],
    }
    return { tree: put(tree, wrong), claims }
  }

  /** A turn in which both sides of a conflict are brought together. */
  function resolve(id: string, agent: string, both: Tree, other: string): Written & { left: boolean } {
    const draw = world.again(`resolve ${id} ${agent}`)
    const { [markers]: _, ...tree } = both
    const luck = draw.next()
    const own = tree[id]
    if (luck < 0.1) return { tree: both, claims: true, left: true }
    if (luck < 0.25 && own)
      return { tree: put(tree, { ...own, breaks: [...own.breaks, other] }), claims: true, left: false }
    return { tree: own ? put(tree, own) : tree, claims: true, left: false }
  }

  /** An agent runs these checks. True: it reports no new failure. */
  function runs(who: string, names: readonly string[], tree: Tree): boolean {
    const draw = world.again(`runs ${who}`)
    if (!draw.chance(hand.runs)) return true
    return names.every((name) => {
      const { failing, flake, legacy } = world.check(name, tree)
      if (failing.length > 0) return false
      if (legacy && !draw.chance(hand.knowsLegacy)) return false
      return !flake || draw.chance(hand.knowsFlake)
    })
  }

  /** Whether the task's check and the project's own checks pass, as the agent that runs them reports. */
  const test = (task: string, tree: Tree): boolean => runs(`test ${task}`, [checkOf(task), suite, lint], tree)

  /** A reader's opinion of a task's work: true means approved. */
  function judge(who: string, id: string, tree: Tree): boolean {
    const draw = world.again(`judge ${who} ${id}`)
    const own = tree[id]
    const fooled = world.chance.fork(`convincing ${own?.version ?? 0}`).chance(convincing)
    if (own?.weakened && draw.chance(eye.weakened)) return false
    if ((own?.breaks ?? []).length > 0 && draw.chance(eye.elsewhere)) return false
    if (!world.works(tree, id))
      return fooled || !draw.chance(isBroken(tree, id) && own?.good ? eye.elsewhere : eye.wrong)
    return !draw.chance(eye.falseAlarm)
  }

  /** Readers look at everything at once and name the tasks they object to; of several, two must. */
  function review(who: string, tree: Tree, experts = 1): string[] {
    const needed = Math.min(2, experts)
    const objections = (chance: number, draw: Random): boolean =>
      Array.from({ length: experts }, () => draw.chance(chance)).filter(Boolean).length >= needed
    const draw = world.again(`review ${who}`)
    const guilty = Object.values(tree)
      .filter(({ breaks }) => breaks.includes('base'))
      .map(({ task }) => task)
    const wrong = world.roots.filter((id) => !world.works(tree, id))
    const found = [
      ...wrong.filter((id) => objections(tree[id]?.good ? eye.elsewhere : eye.wrong, draw)),
      ...guilty.filter(() => objections(eye.elsewhere, draw)),
    ]
    const falseAlarm = wrong.length + guilty.length === 0 && objections(eye.falseAlarm, draw)
    return falseAlarm ? [world.roots[draw.int(0, world.roots.length - 1)] ?? ''] : [...new Set(found)]
  }

  return { code, resolve, runs, test, judge, review, put }
}

export type Agents = ReturnType<typeof createAgents>
