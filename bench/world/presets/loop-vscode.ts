/**
 * Loop for VS Code, as its document has it. Modelled: gather, plan, plan review, scaffold; batches of all ready
 * subtasks side by side with gathered context; a review of the batch that can execute and gives a verdict on each
 * subtask; a monitor after each batch: the same failure 3 times or 3 in a row is a stall (fresh context, another
 * approach), a pass rate that drops in two batches running goes back to the last checkpoint and is kept as an
 * anti-pattern, subtasks that come and go twice go back and to a person; after 2 failed recoveries a person is asked.
 * No person answers, so the run ends there. A checkpoint after each batch; a final review over everything. In its favor:
 * recording decisions costs nothing, and a recovery after which the subtask passes is forgotten.
 */
import { atDesk, type Desk } from '../desk.ts'
import type { Tree } from '../tree.ts'

interface Memory {
  done: Set<string>
  /** Failures of a subtask since it last passed, failures in a row, and how often a subtask was done and undone. */
  failures: Map<string, number>
  inARow: number
  falls: Map<string, number>
  /** Subtasks that try another approach, and the number of recoveries that did not help. */
  alternates: Set<string>
  failedRecoveries: number
  rates: number[]
  checkpoint: { tree: Tree; done: string[] }
}

export const loopVscode = atDesk((desk) => {
  const { world, agents } = desk
  desk.spend(4)
  const memory: Memory = {
    done: new Set(),
    failures: new Map(),
    inARow: 0,
    falls: new Map(),
    alternates: new Set(),
    failedRecoveries: 0,
    rates: [],
    checkpoint: { tree: desk.tree(), done: [] },
  }
  for (;;) {
    const ready = world.roots.filter(
      (id) =>
        !memory.done.has(id)
        && (world.tasks.get(id)?.dependsOn ?? []).every((dependency) => memory.done.has(dependency)),
    )
    if (ready.length > 0) {
      batch(desk, memory, ready)
      if (!monitor(desk, memory)) return false
      continue
    }
    desk.spend()
    const found = agents.review('final', desk.tree())
    if (found.length === 0) return true
    for (const id of found) {
      memory.done.delete(id)
      memory.falls.set(id, (memory.falls.get(id) ?? 0) + 1)
    }
  }
})

function batch(desk: Desk, memory: Memory, ready: readonly string[]): void {
  const { agents } = desk
  desk.spend()
  for (const id of ready) {
    const again = memory.failures.has(id) || memory.falls.has(id)
    desk.code({
      task: id,
      agent: 'a',
      fix: again,
      given: memory.alternates.has(id) ? 'approach' : again ? 'failure' : 'nothing',
    })
  }
  desk.together(ready)
  desk.spend()
  const passed = ready.filter((id) => agents.test(id, desk.tree()) && agents.judge('batch', id, desk.tree()))
  for (const id of ready) {
    if (passed.includes(id)) {
      memory.done.add(id)
      memory.failures.delete(id)
      if (memory.alternates.delete(id)) memory.failedRecoveries = 0
      memory.inARow = 0
      continue
    }
    memory.failures.set(id, (memory.failures.get(id) ?? 0) + 1)
    memory.inARow++
  }
  memory.rates.push(passed.length / ready.length)
}

/** False when a person is needed. */
function monitor(desk: Desk, memory: Memory): boolean {
  desk.spend()
  const [before = 0, last = 0, now = 0] = memory.rates.slice(-3)
  if ([...memory.falls.values()].some((falls) => falls >= 2)) return false
  if (memory.rates.length >= 3 && last < before && now < last) {
    desk.spend()
    desk.reset(memory.checkpoint.tree)
    memory.done = new Set(memory.checkpoint.done)
    for (const id of memory.failures.keys()) memory.alternates.add(id)
    memory.rates = []
    return true
  }
  const stalled = [...memory.failures].filter(([, times]) => times >= 3 || memory.inARow >= 3).map(([id]) => id)
  if (stalled.length > 0) {
    if (stalled.some((id) => memory.alternates.has(id)) && ++memory.failedRecoveries >= 2) return false
    for (const id of stalled) memory.alternates.add(id)
    memory.inARow = 0
  }
  desk.spend()
  memory.checkpoint = { tree: desk.tree(), done: [...memory.done] }
  return true
}
