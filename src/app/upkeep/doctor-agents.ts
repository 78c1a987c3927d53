/** The rows of `looper doctor` about agents: the ones in use, and installed ones that no role uses. */
import { kindOf } from '../../agents/registry.ts'
import { agentTypeOf, knownPrograms } from '../../model/agent-type.ts'
import type { AgentConfig, Config } from '../../model/config.ts'
import type { DoctorRow } from '../../api/upkeep.ts'
import type { Repository } from '../../workspace/git/repository.ts'
import { agentsInReserve, agentsInUse, chooseAgent, entryOf } from '../prepare/choose-agent.ts'
import type { AppContext } from '../context.ts'
import { findProgram, locateAgent, programSearchIn, type ProgramSearch } from '../prepare/locate-agent.ts'
import { refuseMissingScript } from '../prepare/missing-script.ts'
import { probeAgent, probeText } from '../prepare/probe-agent.ts'
import { addRow } from './doctor-row.ts'

export async function agentRows(
  rows: DoctorRow[],
  context: AppContext,
  config: Config,
  source: string,
  repository: Repository | null,
): Promise<void> {
  const root = repository?.root ?? context.cwd
  const place = programSearchIn(context, root)
  const choice = await addRow(
    rows,
    'agent',
    () => chooseAgent(config, source, place),
    ({ agent, from }) => `${agent} (${from})`,
  )
  if (!choice) return
  const used = [...new Set([...agentsInUse(config, choice.agent), ...agentsInReserve(config)])]
  for (const name of used) await agentRow(rows, context, name, entryOf(config, name), place)
  // Installed agents that no role uses are listed for information, never as a failure.
  for (const name of knownPrograms) {
    const entry = entryOf(config, name)
    const spare = !used.includes(name) && (await findProgram(entry.bin ?? name, place)) !== null
    if (spare) await agentRow(rows, context, name, entry, place, true)
  }
}

async function agentRow(
  rows: DoctorRow[],
  context: AppContext,
  name: string,
  entry: AgentConfig,
  place: ProgramSearch,
  spare = false,
): Promise<void> {
  const check = `agent ${name}`
  const agent = await addRow(rows, check, () => startable(name, entry, place), started)
  const type = agent === null ? null : agentTypeOf(name, agent)
  if (agent === null || type === null) return
  const kind = kindOf(type)
  const probe = await probeAgent(kind, agent, context, place.root)
  if (probe === null) return
  rows.pop()
  rows.push({
    check,
    ok: spare || probe.problems.length === 0,
    detail: probeText(kind, probe),
    hint: probe.problems.join(' ') || null,
  })
}

/** Checks for problems that a run finds only when it starts the agent. */
async function startable(name: string, entry: AgentConfig, place: ProgramSearch): Promise<AgentConfig> {
  const agent = await locateAgent(name, entry, place)
  if (agent.script !== undefined) await (await import('../../agents/scripted/load-script.ts')).loadScript(agent.script)
  await refuseMissingScript(name, entry, place)
  return agent
}

const started = ({ command, acp, script, bin }: AgentConfig): string =>
  command?.join(' ') ?? acp?.join(' ') ?? bin ?? `script ${script}`
