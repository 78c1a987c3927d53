/** How much trouble a world makes. All policies meet the same worlds, and the same agents in them. */

export interface Level {
  name: string
  /** How likely a fair try at a task works, from the hardest task to the easiest. */
  chance: readonly [number, number]
  /**
   * Tasks that the usual agent, the first approach or a single try can never do: only another agent, another approach
   * or a split helps.
   */
  trap: number
  /** A split leaves something out that the task asked for. */
  gap: number
  /** A change that works breaks something else. */
  breaks: number
  /** Worlds with a flaky suite, and tasks with a flaky check of their own. */
  flaky: number
  /** Worlds in which a check was red before anything began. */
  legacy: number
  /**
   * Who did not get it done and says "complete" all the same; who then has changed nothing; who made tests weaker so
   * that they pass.
   */
  lies: number
  empty: number
  weakens: number
  /** Two changes of one file, made side by side, do not go together. */
  conflict: number
  /** Wrong work that no check shows, and weakened tests that no guard sees. */
  unseen: number
}

const usual: Level = {
  name: 'usual',
  chance: [0.45, 0.9],
  trap: 0.15,
  gap: 0.1,
  breaks: 0.1,
  flaky: 0.35,
  legacy: 0.25,
  lies: 0.4,
  empty: 0.15,
  weakens: 0.1,
  conflict: 0.4,
  unseen: 0,
}

export const levels = {
  calm: {
    name: 'calm',
    chance: [0.6, 0.95],
    trap: 0.06,
    gap: 0.05,
    breaks: 0.04,
    flaky: 0.15,
    legacy: 0.1,
    lies: 0.2,
    empty: 0.1,
    weakens: 0.04,
    conflict: 0.2,
    unseen: 0,
  },
  usual,
  rough: {
    name: 'rough',
    chance: [0.3, 0.8],
    trap: 0.25,
    gap: 0.15,
    breaks: 0.2,
    flaky: 0.6,
    legacy: 0.4,
    lies: 0.6,
    empty: 0.2,
    weakens: 0.2,
    conflict: 0.6,
    unseen: 0,
  },
  /** As usual, but every task can be done by everybody, at once and in one way. */
  even: { ...usual, name: 'even', trap: 0 },
  /** As usual, but what checks and the guard cannot see is not seen: what is left to judges alone. */
  blind: { ...usual, name: 'blind', unseen: 0.1 },
} satisfies Record<string, Level>

export type LevelName = keyof typeof levels
