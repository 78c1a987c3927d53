/** Finds agents' programs before a run, and says how to start them in a workspace that lies elsewhere. */
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { AgentConfig } from '../model/config.ts'
import { LooperError } from '../model/error.ts'

export interface Place {
  root: string
  /** The PATH to look in. */
  path: string
  /** A file that git has comes along into every worktree. */
  isTracked: (path: string) => Promise<boolean>
}

/** The same agent, its own files by their full paths. Throws CONFIG_UNKNOWN_AGENT when it cannot be started. */
export async function locateAgent(name: string, agent: AgentConfig, place: Place): Promise<AgentConfig> {
  if (agent.script !== undefined) return { ...agent, script: resolve(place.root, agent.script) }
  const [program, ...args] = agent.command ?? []
  if (program === undefined) {
    throw new LooperError('CONFIG_UNKNOWN_AGENT', `Looper does not know how to start ${name}.`, {
      hint: `Say it in .looper/config.json: "agents": { "${name}": { "command": ["${name}"] } }`,
    })
  }
  const found = await findProgram(program, place)
  if (found === null) {
    throw new LooperError('CONFIG_UNKNOWN_AGENT', `${name}: the program ${JSON.stringify(program)} does not exist or may not be executed.`, {
      hint: `Install it, or mend "agents.${name}" in .looper/config.json.`,
    })
  }
  const untracked = async (path: string): Promise<boolean> => !(await place.isTracked(path))
  const start = isLocal(program) && (await untracked(program)) ? found : program
  return { ...agent, command: [start, ...(await Promise.all(args.map((arg) => fullPath(arg, place, untracked))))] }
}

/** `["python3", "agent.py"]` means the agent.py of the checkout, also where a worktree has none. */
async function fullPath(arg: string, { root }: Place, untracked: (path: string) => Promise<boolean>): Promise<string> {
  if (arg === '' || arg.startsWith('-') || isAbsolute(arg)) return arg
  const file = resolve(root, arg)
  return (await isFile(file)) && (await untracked(arg)) ? file : arg
}

const isLocal = (program: string): boolean => program.includes('/') && !isAbsolute(program)

/** Its full path; null when there is none that may be executed. */
export async function findProgram(program: string, { root, path }: Place): Promise<string | null> {
  const candidates = program.includes('/') ? [resolve(root, program)] : path.split(delimiter).map((folder) => join(folder, program))
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate
  return null
}

const isFile = (path: string): Promise<boolean> => stat(path).then((entry) => entry.isFile(), () => false)

const isExecutable = async (path: string): Promise<boolean> =>
  (await isFile(path)) && access(path, constants.X_OK).then(() => true, () => false)
