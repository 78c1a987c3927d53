/** Chooses the adapter of an agent. */
import { agentTypeOf } from '../model/agent-type.ts'
import type { AgentConfig, AgentType } from '../model/config.ts'
import { acpKind, createAcpAdapter } from './acp/index.ts'
import type { DriverOptions } from './acp/plan.ts'
import type { AgentAdapter, AgentKind, AgentParser, ParserContext } from './adapter.ts'
import { claudeAdapter } from './claude/index.ts'
import { codexAdapter } from './codex/index.ts'
import { commandAdapter } from './command/index.ts'
import { geminiAdapter } from './gemini/index.ts'
import { opencodeAdapter } from './opencode/index.ts'
import { createScriptedAdapter, scriptedKind } from './scripted/index.ts'
import type { PlayerOptions } from './scripted/plan.ts'
import { allStates, type StateOf } from './state.ts'

const programs = {
  claude: claudeAdapter,
  codex: codexAdapter,
  gemini: geminiAdapter,
  opencode: opencodeAdapter,
  command: commandAdapter,
}

const kinds: Readonly<Record<AgentType, AgentKind>> = { ...programs, acp: acpKind, scripted: scriptedKind }

const named: readonly AgentAdapter[] = Object.values(programs)

/** State of every agent that Looper knows by name. */
export const knownStates: StateOf = allStates(named.flatMap(({ stateOf }) => stateOf ?? []))

/** A user's program or an ACP command may start any known agent: the words of its command line hint at which. */
function statesHinted({ command, acp }: AgentConfig): StateOf {
  const words = [...(command ?? []), ...(acp ?? [])].map((word) => word.split('/').at(-1) ?? '')
  const hinted = named
    .filter(({ id }) => words.some((word) => word.includes(id)))
    .flatMap(({ stateOf }) => stateOf ?? [])
  return hinted.length > 0 ? allStates(hinted) : knownStates
}

/** Null for an agent that keeps no state. */
export function stateOfAgent(name: string, config: AgentConfig): StateOf | null {
  const type = agentTypeOf(name, config)
  if (type === 'command' || type === 'acp') return statesHinted(config)
  return type === null ? null : (kinds[type].stateOf ?? null)
}

export const kindOf = (type: AgentType): AgentKind => kinds[type]

export const createAdapters = (options: PlayerOptions & DriverOptions): Readonly<Record<AgentType, AgentAdapter>> => ({
  ...programs,
  acp: createAcpAdapter(options),
  scripted: createScriptedAdapter(options),
})

/** Creates the parser for an agent's output. An unknown agent is treated as a command agent. */
export const parserOf = (name: string, context: ParserContext): AgentParser =>
  kindOf(agentTypeOf(name, context.agent) ?? 'command').parser(context)
