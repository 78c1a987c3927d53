/** Which agent a run uses, and proof before the run that its program exists. */
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { AgentConfig, Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'

export interface Choice {
  agent: string
  /** Why this one, for the card. */
  from: string
}

const drivable = ({ command, script }: AgentConfig): boolean => (command?.length ?? 0) > 0 || script !== undefined

/** The configured default, else the only or first one configured. */
export function chooseAgent(config: Config, source: string): Choice {
  if (config.agent !== null) return { agent: config.agent, from: source === 'default' ? 'configured' : source }
  const [first] = Object.keys(config.agents).filter((name) => drivable(config.agents[name] ?? {}))
  if (first === undefined) throw new LooperError('CONFIG_NO_AGENT', 'No agent is configured.')
  return { agent: first, from: 'the one that is configured' }
}

/** Every agent the run may call: the default, those of roles and schedule, and their fallbacks. */
export function agentsInUse(config: Config, agent: string): string[] {
  const direct = [agent, ...Object.values(config.roles).flatMap((role) => role?.agent ?? []), ...(config.schedule === 'single' ? [] : config.rotation)]
  return [...new Set([...direct, ...direct.flatMap((name) => config.agents[name]?.fallback ?? [])])]
}

/**
 * The agents as they are started in a workspace elsewhere: a program or file named relative to the repository gets its full path,
 * unless git has it and so the workspace has it too. Throws when a program does not exist.
 */
export async function locateAgents(config: Config, names: readonly string[], root: string, inGit: (path: string) => Promise<boolean>, path: string): Promise<Record<string, AgentConfig>> {
  const located = { ...config.agents }
  for (const name of names) {
    const agent = config.agents[name] ?? {}
    if (!drivable(agent)) {
      throw new LooperError('CONFIG_UNKNOWN_AGENT', `${name} cannot be driven: its entry under "agents" has neither "command" nor "script".`, {
        hint: `Say how to start it: "agents": { "${name}": { "command": ["${name}"] } }`,
      })
    }
    located[name] = { ...agent }
    if (agent.script !== undefined) located[name].script = resolve(root, agent.script)
    if (agent.command) located[name].command = await locateCommand(name, agent.command, root, inGit, path)
  }
  return located
}

async function locateCommand(name: string, [program = '', ...args]: string[], root: string, inGit: (path: string) => Promise<boolean>, path: string): Promise<string[]> {
  const local = program.includes('/') && !isAbsolute(program)
  const found = local ? await existing([resolve(root, program)]) : isAbsolute(program) ? await existing([program]) : await existing(path.split(delimiter).map((folder) => join(folder, program)))
  if (found === null) {
    throw new LooperError('CONFIG_UNKNOWN_AGENT', `${name}: the program ${JSON.stringify(program)} does not exist or may not be executed.`, {
      hint: `Install it, or mend "agents.${name}.command" in .looper/config.json.`,
    })
  }
  const full = await Promise.all(args.map(async (arg) => {
    const file = resolve(root, arg)
    const ours = arg !== '' && !arg.startsWith('-') && !isAbsolute(arg) && (await isFile(file)) && !(await inGit(arg))
    return ours ? file : arg
  }))
  return [local && !(await inGit(program)) ? found : program, ...full]
}

const isFile = async (path: string): Promise<boolean> => stat(path).then((entry) => entry.isFile(), () => false)

async function existing(candidates: readonly string[]): Promise<string | null> {
  for (const candidate of candidates) {
    const usable = (await isFile(candidate)) && (await access(candidate, constants.X_OK).then(() => true, () => false))
    if (usable) return candidate
  }
  return null
}
