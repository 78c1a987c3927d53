/** Finds tasks that wait for each other in a circle. */

/** One arrow of the graph: this entry of this task's list of dependencies. */
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
 * `targets` has for each task the tasks it depends on, null where there is none. Yields each arrow that closes a
 * circle, with the tasks on it. Without recursion: a chain may be as long as the backlog.
 */
export function* circles(
  targets: readonly (readonly (number | null)[])[],
): Generator<{ arrow: Arrow; circle: number[] }> {
  const done = new Set<number>()
  const road: Step[] = []
  const places = new Map<number, number>()
  const enter = (task: number): void => {
    places.set(task, road.length)
    road.push({ task, next: 0 })
  }
  for (let start = 0; start < targets.length; start++) {
    if (!done.has(start)) enter(start)
    for (let step = road.at(-1); step !== undefined; step = road.at(-1)) {
      const { task } = step
      const entry = step.next++
      const target = targets[task]?.[entry]
      if (target === undefined) {
        done.add(task)
        places.delete(task)
        road.pop()
      } else if (target !== null && places.has(target)) {
        yield { arrow: { task, entry }, circle: [...road.slice(places.get(target)).map((each) => each.task), target] }
      } else if (target !== null && !done.has(target)) enter(target)
    }
  }
}
