/** Finds cycles among the dependencies of tasks. */

/** An edge of the graph: one entry in the dependency list of one task. */
export interface Arrow {
  task: number
  entry: number
}

interface Step {
  task: number
  /** The next dependency to follow. */
  next: number
}

/**
 * `targets` lists for each task the tasks it depends on, with null for an unknown one. Yields each edge that closes a
 * cycle, with the tasks of the cycle. It does not recurse: a chain can be as long as the backlog.
 */
export function* circles(
  targets: readonly (readonly (number | null)[])[],
): Generator<{ arrow: Arrow; circle: number[] }> {
  const done = new Set<number>()
  const path: Step[] = []
  const positions = new Map<number, number>()
  const enter = (task: number): void => {
    positions.set(task, path.length)
    path.push({ task, next: 0 })
  }
  for (let start = 0; start < targets.length; start++) {
    if (!done.has(start)) enter(start)
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { task } = step
      const entry = step.next++
      const target = targets[task]?.[entry]
      if (target === undefined) {
        done.add(task)
        positions.delete(task)
        path.pop()
      } else if (target !== null && positions.has(target)) {
        yield {
          arrow: { task, entry },
          circle: [...path.slice(positions.get(target)).map((each) => each.task), target],
        }
      } else if (target !== null && !done.has(target)) enter(target)
    }
  }
}
