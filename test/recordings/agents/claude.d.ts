import type { Agent } from './agent.d.ts'

export const claude: Agent
