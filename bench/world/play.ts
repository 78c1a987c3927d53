/** Plays the same worlds under every policy and counts what came of it. */
import { levels, type LevelName } from './levels.ts'
import { runOurs } from './ours.ts'
import type { Policy } from './policy.ts'
import { claudeLooper } from './presets/claude-looper.ts'
import { loopAgents } from './presets/loop-agents.ts'
import { loopMechanics } from './presets/loop-mechanics.ts'
import { loopVscode } from './presets/loop-vscode.ts'
import { looperGo } from './presets/looper-go.ts'
import { createWorld } from './world.ts'

export const policies = {
  Looper: (world) => runOurs(world),
  'Looper, one agent': (world) => runOurs(world, 'one'),
  'Claude Looper': claudeLooper,
  'Loop Mechanics': loopMechanics,
  'Loop Agents': loopAgents,
  'Looper-Go': looperGo,
  'Loop for VS Code': loopVscode,
} satisfies Record<string, Policy>

export type PolicyName = keyof typeof policies

export interface Score {
  level: LevelName
  policy: PolicyName
  worlds: number
  /** Shares of the worlds, 0 to 1. */
  reached: number
  saysDone: number
  falseDone: number
  /** Of those in which it says done. */
  falseOfDone: number
  /** Means, and what a goal that was reached cost, with all that was spent on others. */
  turns: number
  turnsPerGoal: number
}

export function score(level: LevelName, policy: PolicyName, seeds: readonly number[]): Score {
  let [reached, done, wrong, turns] = [0, 0, 0, 0]
  for (const seed of seeds) {
    const world = createWorld(seed, levels[level])
    const ended = policies[policy](world)
    const isReached = world.isReached(ended.tree)
    reached += Number(isReached)
    done += Number(ended.saysDone)
    wrong += Number(ended.saysDone && !isReached)
    turns += ended.turns
  }
  const worlds = seeds.length
  return {
    level,
    policy,
    worlds,
    reached: reached / worlds,
    saysDone: done / worlds,
    falseDone: wrong / worlds,
    falseOfDone: done === 0 ? 0 : wrong / done,
    turns: turns / worlds,
    turnsPerGoal: turns / Math.max(1, reached),
  }
}
