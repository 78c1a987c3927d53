/**
 * Looper-Go, as its architecture has it. Modelled: a bootstrap turn writes the backlog; exactly one task per iteration,
 * first what is under way, then todo, then blocked, by id, when its dependencies are done; a fresh agent each time,
 * agents in turn (round-robin); the summary's status is believed: done, or blocked, which comes again when nothing else
 * is left; when no task is left a review pass over everything, whose findings become tasks; a review without any is the
 * end.
 */
import { atDesk } from '../desk.ts'

export const looperGo = atDesk((desk) => {
  const { world, agents } = desk
  desk.spend()
  const todo = new Set(world.roots)
  const blocked = new Set<string>()
  const tried = new Set<string>()
  const isReady = (id: string): boolean =>
    (world.tasks.get(id)?.dependsOn ?? []).every((dependency) => !todo.has(dependency) && !blocked.has(dependency))
  for (let iteration = 0; ; iteration++) {
    const id = [...todo].toSorted().find(isReady) ?? [...blocked].toSorted().find(isReady)
    if (id === undefined) {
      desk.spend()
      const found = agents.review('review', desk.tree())
      if (found.length === 0) return true
      for (const each of found) todo.add(each)
      continue
    }
    const again = tried.has(id)
    const done = desk.code({
      task: id,
      agent: iteration % 2 === 0 ? 'a' : 'b',
      given: again ? 'failure' : 'nothing',
      fix: again,
    })
    tried.add(id)
    todo.delete(id)
    if (done) blocked.delete(id)
    else blocked.add(id)
  }
})
