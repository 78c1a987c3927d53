/** Which adapter drives which agent. */
import type { AgentType } from '../model/config.ts'
import { createAcpAdapter } from './acp/index.ts'
import type { DriverOptions } from './acp/plan.ts'
import type { AgentAdapter } from './adapter.ts'
import { claudeAdapter } from './claude/index.ts'
import { codexAdapter } from './codex/index.ts'
import { commandAdapter } from './command/index.ts'
import { geminiAdapter } from './gemini/index.ts'
import { opencodeAdapter } from './opencode/index.ts'
import { createScriptedAdapter } from './scripted/index.ts'
import type { PlayerOptions } from './scripted/plan.ts'

const programs: Readonly<Partial<Record<AgentType, AgentAdapter>>> = {
  claude: claudeAdapter, codex: codexAdapter, gemini: geminiAdapter, opencode: opencodeAdapter,
}

/** The adapter of an installed program; undefined for types that are configured by what they start. */
export const adapterOf = (type: AgentType): AgentAdapter | undefined => programs[type]

/** Every adapter there is, by type. */
export const createAdapters = (options: PlayerOptions & DriverOptions): Readonly<Partial<Record<AgentType, AgentAdapter>>> => ({
  ...programs,
  acp: createAcpAdapter(options),
  command: commandAdapter,
  scripted: createScriptedAdapter(options),
})
