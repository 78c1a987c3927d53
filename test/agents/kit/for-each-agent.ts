/** Says the same of every CLI that is tested. */
import { describe } from 'vitest'
import { everyAgent, type RealAgent } from './real-agents.ts'
import { isWanted } from './wanted.ts'

export const realAgents = everyAgent.filter(isWanted)

export function forEachAgent(say: (agent: RealAgent) => void): void {
  for (const agent of realAgents) describe(agent.name, () => say(agent))
}
