/**
 * A goal in a world of its own: tasks with hidden difficulties, checks that tell the truth about a tree apart from
 * flakes, and the truth itself, which no policy is shown. Whatever chance decides depends on the seed and on what is
 * asked, never on who asks.
 */
import { createRandom, type Random } from '../../src/simulation/random.ts'
import type { Level } from './levels.ts'
import { createForest, isBroken, markers, type Tree } from './tree.ts'

export type Trap = 'agent' | 'approach' | 'size'

export interface WorldTask {
  id: string
  dependsOn: string[]
  /** How likely a fair try works. */
  chance: number
  trap: Trap | null
  /** The file it changes, and whether a plan says so. */
  file: string
  declared: boolean
  /** The project's suite tests it as well, not only its own check. */
  covered: boolean
  /** How often its check is red for no reason. */
  flakes: number
  parent: string | null
}

export interface CheckResult {
  failing: string[]
  /** Red only by chance, or only by what was red before anything began. */
  flake: boolean
  legacy: boolean
}

export const suite = 'test'
export const lint = 'lint'
/** The check by which a task is accepted. */
export const checkOf = (task: string): string => `npm test ${task}`

export type World = ReturnType<typeof createWorld>

export function createWorld(seed: number, level: Level) {
  const chance = createRandom(seed)
  const tasks = new Map(layOut(chance.fork('goal'), level).map((task) => [task.id, task]))
  const roots = [...tasks.keys()]
  const nature = chance.fork('nature')
  const flakySuite = nature.chance(level.flaky) ? 0.05 + nature.next() * 0.25 : 0
  const legacy = nature.chance(level.legacy) ? nature.pick([suite, lint]) : null
  const splits = new Map<string, { children: string[]; gap: boolean }>()
  const counts = new Map<string, number>()
  /** A generator for the nth time that something is asked. */
  const again = (what: string): Random => {
    const n = counts.get(what) ?? 0
    counts.set(what, n + 1)
    return chance.fork(`${what} #${n}`)
  }

  const works = (tree: Tree, id: string): boolean => {
    if (isBroken(tree, id)) return false
    if (tree[id]?.good) return true
    const split = splits.get(id)
    return split !== undefined && !split.gap && split.children.every((child) => works(tree, child))
  }
  /** What a test of the task says: weak tests and gaps in them pass. */
  const passes = (tree: Tree, id: string): boolean =>
    works(tree, id) || tree[id]?.weakened === true || (tree[id]?.shows === false && !isBroken(tree, id))

  function check(name: string, tree: Tree): CheckResult {
    if (name === lint) return { failing: [], flake: false, legacy: legacy === lint }
    const only = name === suite ? null : name.slice(checkOf('').length)
    const task = only === null ? undefined : tasks.get(only)
    const failing =
      only === null
        ? [...tasks.values()]
            .filter(({ id, covered }) => covered && tree[id] !== undefined && !passes(tree, id))
            .map(({ id }) => id)
        : passes(tree, only)
          ? []
          : [only]
    if (only === null && isBroken(tree, 'base')) failing.push('base')
    if (tree[markers]) failing.push('syntax')
    const old = only === null && legacy === suite
    const flake = failing.length === 0 && again(`run ${name}`).chance(only === null ? flakySuite : (task?.flakes ?? 0))
    return { failing, flake, legacy: old }
  }

  /** Two or three smaller tasks in place of one. They are easier, and now and then they are not all of it. */
  function split(id: string): WorldTask[] {
    const known = splits.get(id)
    if (known) return known.children.flatMap((child) => tasks.get(child) ?? [])
    const parent = tasks.get(id)
    const draw = chance.fork(`split ${id}`)
    const count = draw.int(2, 3)
    const stubborn = parent?.trap !== 'size' && draw.chance(0.3) ? draw.int(0, count - 1) : -1
    const children = Array.from({ length: count }, (_, at): WorldTask => ({
      id: `${id}.${at + 1}`,
      dependsOn: at === 0 ? [] : [`${id}.${at}`],
      chance: Math.min(0.95, (parent?.chance ?? 0.5) + 0.15),
      trap: at === stubborn ? (parent?.trap ?? null) : null,
      file: parent?.file ?? 'a',
      declared: false,
      covered: parent?.covered ?? false,
      flakes: 0,
      parent: id,
    }))
    for (const child of children) tasks.set(child.id, child)
    splits.set(id, { children: children.map((child) => child.id), gap: draw.chance(level.gap) })
    return children
  }

  return {
    level,
    tasks,
    roots,
    splits,
    chance,
    again,
    works,
    check,
    split,
    legacy,
    ...createForest(),
    /** The truth: everything that was asked for is there and works, and so does what was there before. */
    isReached: (tree: Tree): boolean =>
      !isBroken(tree, 'base') && tree[markers] === undefined && roots.every((id) => works(tree, id)),
    /** The same for all: so many turns of agents, whatever for. */
    budget: roots.length * 12,
  }
}

const idAt = (at: number): string => `T${String(at + 1).padStart(3, '0')}`

function layOut(draw: Random, level: Level): WorldTask[] {
  const count = draw.int(4, 12)
  const [hardest, easiest] = level.chance
  return Array.from({ length: count }, (_, at): WorldTask => ({
    id: idAt(at),
    dependsOn: [
      ...new Set(
        [0, 1].filter(() => at > 0 && draw.chance(0.45)).map(() => idAt(draw.int(Math.max(0, at - 4), at - 1))),
      ),
    ],
    chance: hardest + draw.next() * (easiest - hardest),
    trap: draw.chance(level.trap) ? draw.pick(['agent', 'approach', 'size']) : null,
    file: `src/part${draw.int(1, count)}.js`,
    declared: draw.chance(0.5),
    covered: draw.chance(0.5),
    flakes: draw.chance(level.flaky / 6) ? 0.05 + draw.next() * 0.25 : 0,
    parent: null,
  }))
}
