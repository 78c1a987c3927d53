/** Detects a command whose interpreter exists and whose script does not: it would start and do nothing. */
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Place } from './locate-agent.ts'

const interpreter =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|Rscript|bash|dash|sh|zsh|ksh|fish)$/
/** Options that pass the program as text or by module name, not by its path. */
const inline = /^-(?:[a-z]*[cemp]|-eval|-print|-command|-module)(?:=|$)/i
/** Interpreters whose first argument that is not an option is always a file. */
const takesFile = /^(?:python[\d.]*|pypy[\d.]*|ruby|perl|lua|Rscript)$/
/** Programs that start the program after them. */
const wrappers = /^(?:env|npx|bunx|uvx|nice|nohup|uv|poetry|pipenv|pnpm|yarn)$/
const wrapperWord = /^(?:run|exec|dlx|-.*|\w+=.*)$/
const scriptName = /\/|\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|R|sh|bash|zsh|ksh|fish|ps1)$/

/** The script as the command names it; null when it exists, or when the script cannot be determined. */
export async function missingScript(command: readonly string[], { root, isTracked }: Place): Promise<string | null> {
  const [program = '', ...args] = unwrapped(command)
  const name = basename(program)
  const script = interpreter.test(name) ? scriptOf(args, takesFile.test(name)) : null
  if (script === null || (await isFile(resolve(root, script)))) return null
  return (await isTracked(script)) ? null : script
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
