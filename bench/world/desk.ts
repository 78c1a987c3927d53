/** One working directory that all agents write to, as in the five earlier programs. */
import { createAgents, type Brief } from './agents.ts'
import type { Policy } from './policy.ts'
import type { Tree } from './tree.ts'
import type { World } from './world.ts'

class OutOfTurns extends Error {}

export type Desk = ReturnType<typeof openDesk>

function openDesk(world: World) {
  const agents = createAgents(world)
  let turns = 0
  let tree: Tree = {}
  const desk = {
    world,
    agents,
    tree: (): Tree => tree,
    /** Puts the directory back to an earlier content. */
    reset(to: Tree): void {
      tree = to
    },
    /** A turn of an agent, whatever for; the run ends when none is left. */
    spend(count = 1): void {
      if (turns + count > world.budget) throw new OutOfTurns('no turn is left')
      turns += count
    },
    /** A coder's turn; true: it says that the task is complete. */
    code(brief: Omit<Brief, 'tree'>): boolean {
      desk.spend()
      const written = agents.code({ ...brief, tree })
      tree = written.tree
      return written.claims
    },
    /**
     * After turns side by side in the one directory: of two that changed one file, the earlier may have lost its
     * change.
     */
    together(ids: readonly string[]): void {
      for (const [at, id] of ids.entries()) {
        const change = tree[id]
        const clash = ids
          .slice(at + 1)
          .some(
            (other) =>
              world.tasks.get(other)?.file === world.tasks.get(id)?.file
              && world.again(`clash ${id} ${other}`).chance(world.level.conflict / 2),
          )
        if (change && clash) tree = agents.put(tree, { ...change, good: false })
      }
    },
    turns: () => turns,
  }
  return desk
}

/** A policy of this kind: true when it tells its user that the goal is reached. */
export const atDesk =
  (run: (desk: Desk) => boolean): Policy =>
  (world) => {
    const desk = openDesk(world)
    let saysDone = false
    try {
      saysDone = run(desk)
    } catch (error) {
      if (!(error instanceof OutOfTurns)) throw error
    }
    return { saysDone, turns: desk.turns(), tree: desk.tree() }
  }
