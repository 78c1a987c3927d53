/** Which adapter drives which agent. */
import type { AgentType } from '../model/config.ts'
import { acpKind, createAcpAdapter } from './acp/index.ts'
import type { DriverOptions } from './acp/plan.ts'
import type { AgentAdapter, AgentKind } from './adapter.ts'
import { claudeAdapter } from './claude/index.ts'
import { codexAdapter } from './codex/index.ts'
import { commandAdapter } from './command/index.ts'
import { geminiAdapter } from './gemini/index.ts'
import { opencodeAdapter } from './opencode/index.ts'
import { createScriptedAdapter, scriptedKind } from './scripted/index.ts'
import type { PlayerOptions } from './scripted/plan.ts'

const programs = { claude: claudeAdapter, codex: codexAdapter, gemini: geminiAdapter, opencode: opencodeAdapter, command: commandAdapter }

const kinds: Readonly<Record<AgentType, AgentKind>> = { ...programs, acp: acpKind, scripted: scriptedKind }

export const kindOf = (type: AgentType): AgentKind => kinds[type]

export const createAdapters = (options: PlayerOptions & DriverOptions): Readonly<Record<AgentType, AgentAdapter>> =>
  ({ ...programs, acp: createAcpAdapter(options), scripted: createScriptedAdapter(options) })
