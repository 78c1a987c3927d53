/** Says the same of every CLI that is tested. */
import { describe } from 'vitest'
import { everyAgent, type RealAgent } from './real-agents.ts'
import { isWanted } from './wanted.ts'

export const realAgents = everyAgent.filter(isWanted)

export function forEachAgent(say: (agent: RealAgent) => void, agents: readonly RealAgent[] = realAgents): void {
  for (const agent of agents) describe(agent.name, () => say(agent))
}

/** Of those that are always tested, which are tested in every respect. */
export const forUsualAgents = (say: (agent: RealAgent) => void): void =>
  forEachAgent(
    say,
    realAgents.filter(({ isUsual }) => isUsual),
  )
