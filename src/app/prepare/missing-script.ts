/** Detects a command whose interpreter exists and whose script does not: it would start and do nothing. */
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { LooperError } from '../../model/error.ts'
import type { AgentConfig } from '../../model/config.ts'
import { findProgram, type ProgramSearch } from './locate-agent.ts'

const interpreter =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|Rscript|bash|dash|sh|zsh|ksh|fish)$/
const isShell = /^(?:bash|dash|sh|zsh|ksh)$/
/** Options that pass the program as text or by module name, not by its path. */
const inline = /^-(?:[a-z]*[cemp]|-eval|-print|-command|-module)(?:=|$)/i
/** Interpreters whose first argument that is not an option is always a file. */
const takesFile = /^(?:python[\d.]*|pypy[\d.]*|ruby|perl|lua|Rscript)$/
/** Programs that start the program after them. */
const wrappers = /^(?:env|npx|bunx|uvx|nice|nohup|uv|poetry|pipenv|pnpm|yarn)$/
const wrapperWord = /^(?:run|exec|dlx|-.*|\w+=.*)$/
const scriptName = /\/|\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|R|sh|bash|zsh|ksh|fish|ps1)$/

/** Throws CONFIG_UNKNOWN_AGENT when the command names a script that does not exist. `entry` is as configured. */
export async function refuseMissingScript(name: string, entry: AgentConfig, search: ProgramSearch): Promise<void> {
  const [key, command] =
    entry.command === undefined ? (['acp', entry.acp] as const) : (['command', entry.command] as const)
  const script = command === undefined ? null : await missingScript(command, search)
  if (script === null) return
  throw new LooperError('CONFIG_UNKNOWN_AGENT', `${command?.join(' ')}: there is no ${script} in ${search.root}`, {
    hint: `Write it, or fix "agents.${name}.${key}" in .looper/config.json.`,
  })
}

/** The script as the command names it; null when it exists, or when the script cannot be determined. */
export async function missingScript(command: readonly string[], search: ProgramSearch): Promise<string | null> {
  const { root, isTracked } = search
  const [program = '', ...args] = unwrapped(command)
  const name = basename(program)
  const script = interpreter.test(name) ? scriptOf(args, takesFile.test(name)) : null
  if (script === null || (await isFile(resolve(root, script)))) return null
  if (await isTracked(script)) return null
  // A shell also searches the PATH for a script.
  const isInPath = isShell.test(name) && !script.includes('/') && (await findProgram(script, search)) !== null
  return isInPath ? null : script
}

/** The command that a wrapper starts. */
function unwrapped(command: readonly string[]): readonly string[] {
  const [program = '', ...rest] = command
  if (!wrappers.test(basename(program))) return command
  const first = rest.findIndex((word) => !wrapperWord.test(word))
  return first < 0 ? [] : unwrapped(rest.slice(first))
}

function scriptOf(args: readonly string[], isAnyName: boolean): string | null {
  const first = args.findIndex((arg) => !arg.startsWith('-') && arg !== 'run')
  const script = args[first]
  if (script === undefined || args.slice(0, first).some((flag) => inline.test(flag))) return null
  // A word after an option may be the value of that option.
  return (isAnyName && first === 0) || scriptName.test(script) ? script : null
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  )
