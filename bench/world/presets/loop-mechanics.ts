/**
 * Loop Mechanics, as its document has it. Modelled: intent, shape and decomposition (a turn each); waves of all tasks
 * that are not blocked, each by a fresh subagent that executes, verifies and reports; a light review after each wave
 * that blocks nothing; a task that fails once goes to a counsel panel and is retried with the approach recommended
 * there, without asking a person, until the budget ends; a thorough review by 4 experts whose blockers become work
 * again; a gate that verifies by execution, and makes work of what fails; then complete. In its favor: a panel costs
 * one turn, and the gate runs every task's verification once more.
 */
import { atDesk, type Desk } from '../desk.ts'
import { checkOf, lint, suite } from '../world.ts'

export const loopMechanics = atDesk((desk) => {
  desk.spend(3)
  const {
    world: { roots },
    agents,
  } = desk
  const pending = new Set(roots)
  const stuck = new Map<string, number>()
  const again = (ids: readonly string[]): void => {
    for (const id of ids) {
      pending.add(id)
      stuck.set(id, (stuck.get(id) ?? 0) + 1)
    }
  }
  for (;;) {
    while (pending.size > 0) wave(desk, pending, stuck)
    desk.spend()
    const blockers = agents.review('panel', desk.tree(), 4)
    again(blockers)
    if (blockers.length > 0) continue
    desk.spend()
    const red = gate(desk)
    if (red.length === 0) return true
    again(red)
  }
})

function wave(desk: Desk, pending: Set<string>, stuck: Map<string, number>): void {
  const { world, agents } = desk
  const ready = [...pending].filter((id) =>
    (world.tasks.get(id)?.dependsOn ?? []).every((dependency) => !pending.has(dependency)),
  )
  const reports = new Map<string, boolean>()
  for (const id of ready) {
    const isStuck = (stuck.get(id) ?? 0) > 0
    if (isStuck) desk.spend()
    reports.set(id, desk.code({ task: id, agent: 'a', given: isStuck ? 'approach' : 'nothing', fix: isStuck }))
  }
  desk.together(ready)
  for (const id of ready) {
    if (reports.get(id) && agents.runs(`verify ${id}`, [checkOf(id)], desk.tree())) pending.delete(id)
    else stuck.set(id, (stuck.get(id) ?? 0) + 1)
  }
  desk.spend()
}

/** The tasks that fail. A failure that only the suite shows is attributed to the first suspect. */
function gate({ world, agents, tree }: Desk): string[] {
  const red = world.roots.filter((id) => !agents.runs('gate', [checkOf(id)], tree()))
  if (red.length > 0 || agents.runs('gate', [suite, lint], tree())) return red
  const guilty = world.roots.find((id) => (tree()[id]?.breaks.length ?? 0) > 0)
  return [guilty ?? world.roots.at(-1) ?? '']
}
