import type { Agent } from './agent.d.ts'

export const gemini: Agent
