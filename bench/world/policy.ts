/** What a policy came to in a world. */
import type { Tree } from './tree.ts'
import type { World } from './world.ts'

export interface Ended {
  /** It tells its user that the goal is reached. */
  saysDone: boolean
  turns: number
  /** What it leaves. */
  tree: Tree
}

export type Policy = (world: World) => Ended
