/** Finds the programs of agents before a run, and how to start them from a workspace in another folder. */
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { kindOf } from '../../agents/registry.ts'
import { agentTypeOf } from '../../model/agent-type.ts'
import type { AgentConfig, AgentType } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { isTracked } from '../../workspace/git/tracked.ts'
import type { AppContext } from '../context.ts'

export interface ProgramSearch {
  root: string
  /** The PATH to search. */
  path: string
  /** Whether git tracks the file: a tracked file is in every worktree. */
  isTracked: (path: string) => Promise<boolean>
}

/**
 * A run that started from another commit, such as a fork, has its own versions of tracked files. Only a file that is
 * the same there counts as tracked.
 */
export const programSearchIn = ({ env }: AppContext, root: string, begunFrom: string | null = null): ProgramSearch => ({
  root,
  path: env['PATH'] ?? '',
  isTracked: (path) => isTracked(root, path, begunFrom ?? 'HEAD'),
})

/** Returns the agent with full paths to its files. Throws CONFIG_UNKNOWN_AGENT when it cannot be started. */
export async function locateAgent(name: string, agent: AgentConfig, search: ProgramSearch): Promise<AgentConfig> {
  const type = agentTypeOf(name, agent)
  switch (type) {
    case null:
      throw unknown(name)
    case 'scripted':
      return agent.script === undefined
        ? lacks(name, type, 'script')
        : { ...agent, script: resolve(search.root, agent.script) }
    case 'command':
      return agent.command === undefined
        ? lacks(name, type, 'command')
        : { ...agent, command: await locateCommand(name, agent.command, search) }
    case 'acp':
      return agent.acp === undefined
        ? lacks(name, type, 'acp')
        : { ...agent, acp: await locateCommand(name, agent.acp, search) }
    case 'claude':
    case 'codex':
    case 'gemini':
    case 'opencode':
      return { ...agent, type, bin: await locateProgram(name, type, agent, search) }
  }
}

const unknown = (name: string): LooperError =>
  new LooperError('CONFIG_UNKNOWN_AGENT', `Looper does not know how to start ${name}.`, {
    hint: `Say it in .looper/config.json: "agents": { "${name}": { "command": ["${name}"] } }`,
  })

function lacks(name: string, type: AgentType, key: string): never {
  throw new LooperError('CONFIG_UNKNOWN_AGENT', `${name}: an agent of type ${type} needs "${key}".`, {
    hint: `Add "agents.${name}.${key}" to .looper/config.json.`,
  })
}

const missing = (name: string, program: string): LooperError =>
  new LooperError(
    'CONFIG_UNKNOWN_AGENT',
    `${name}: the program ${JSON.stringify(program)} does not exist or may not be executed.`,
    { hint: `Install it, or fix "agents.${name}" in .looper/config.json.` },
  )

/** Resolves a wrapper to the program that it starts: ending only the wrapper would leave that program running. */
async function locateProgram(
  name: string,
  type: AgentType,
  { bin }: AgentConfig,
  search: ProgramSearch,
): Promise<string> {
  const { program, native } = kindOf(type)
  const wanted = bin ?? program
  if (wanted === null) throw unknown(name)
  const found = await findProgram(wanted, search)
  if (found === null) throw missing(name, wanted)
  return native === undefined ? found : native(found)
}

async function locateCommand(
  name: string,
  [program = '', ...args]: readonly string[],
  search: ProgramSearch,
): Promise<string[]> {
  const found = await findProgram(program, search)
  if (found === null) throw missing(name, program)
  const untracked = async (path: string): Promise<boolean> => !(await search.isTracked(path))
  const start = isLocal(program) && (await untracked(program)) ? found : program
  return [start, ...(await Promise.all(args.map((arg) => fullPath(arg, search, untracked))))]
}

/** `["python3", "agent.py"]` means the agent.py of the checkout, even when a worktree does not contain it. */
async function fullPath(
  arg: string,
  { root }: ProgramSearch,
  untracked: (path: string) => Promise<boolean>,
): Promise<string> {
  if (arg === '' || arg.startsWith('-') || isAbsolute(arg)) return arg
  const file = resolve(root, arg)
  return (await isFile(file)) && (await untracked(arg)) ? file : arg
}

const isLocal = (program: string): boolean => program.includes('/') && !isAbsolute(program)

/** The full path; null when there is no executable file. */
export async function findProgram(
  program: string,
  { root, path }: Pick<ProgramSearch, 'root' | 'path'>,
): Promise<string | null> {
  const candidates = program.includes('/')
    ? [resolve(root, program)]
    : path.split(delimiter).map((folder) => join(folder, program))
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate
  return null
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  )

const isExecutable = async (path: string): Promise<boolean> =>
  (await isFile(path))
  && access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
