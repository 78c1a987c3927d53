/**
 * Loop Agents, a Ralph loop, as its document has it. Modelled: the plan and its beads refined until two agents in a row
 * agree (plateau, two turns each at least); then the work stage: in every iteration a fresh agent reads the progress
 * file, takes the next ready bead and closes it when it says that it is done; complete when no bead is ready any more
 * (`beads-empty`). Checks are the agent's own affair.
 */
import { atDesk } from '../desk.ts'

export const loopAgents = atDesk((desk) => {
  const { world } = desk
  desk.spend(2)
  for (const stage of ['plan', 'beads']) {
    let agreed = 0
    while (agreed < 2) {
      desk.spend()
      agreed = world.again(`plateau ${stage}`).chance(0.8) ? agreed + 1 : 0
    }
  }
  const open = new Set(world.roots)
  const tried = new Set<string>()
  for (;;) {
    const bead = [...open].find((id) =>
      (world.tasks.get(id)?.dependsOn ?? []).every((dependency) => !open.has(dependency)),
    )
    if (bead === undefined) return true
    const again = tried.has(bead)
    if (desk.code({ task: bead, agent: 'a', given: again ? 'failure' : 'nothing', fix: again })) open.delete(bead)
    tried.add(bead)
  }
})
