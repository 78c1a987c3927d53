/** Finds a program that a check starts and that does not exist. Reports nothing when that is not certain. */
import { findProgram, type ProgramSearch } from '../prepare/locate-agent.ts'

const builtIn = new Set([
  '.',
  ':',
  '!',
  '[',
  '[[',
  '{',
  'alias',
  'bg',
  'break',
  'case',
  'cd',
  'command',
  'continue',
  'echo',
  'eval',
  'exec',
  'exit',
  'export',
  'false',
  'fg',
  'for',
  'function',
  'getopts',
  'hash',
  'if',
  'jobs',
  'kill',
  'let',
  'local',
  'printf',
  'pushd',
  'popd',
  'pwd',
  'read',
  'readonly',
  'return',
  'set',
  'shift',
  'source',
  'test',
  'time',
  'times',
  'trap',
  'true',
  'type',
  'ulimit',
  'umask',
  'unalias',
  'unset',
  'until',
  'wait',
  'while',
])
const assignment = /^\w+=\S*$/
const programName = /^[\w@%+./-]+$/
/** In a line with these characters, only the first word is certainly a program. */
const intricate = /["'`$\\(){}<>#\n]/

/** The first program of the shell line that is not in PATH; null when there is none. */
export async function missingProgram(line: string, search: ProgramSearch): Promise<string | null> {
  const commands = intricate.test(line) ? [line] : line.split(/&&|\|\||[;|&]/)
  for (const command of commands) {
    const program =
      command
        .trim()
        .split(/\s+/)
        .find((word) => !assignment.test(word)) ?? ''
    // Set-up may create a file at this path, and `cd` changes the folder that a path starts from.
    const isCertain = programName.test(program) && !program.includes('/') && !builtIn.has(program)
    if (isCertain && (await findProgram(program, search)) === null) return program
    // This builtin may define functions or change paths, so the rest of the line is not certain.
    if (builtIn.has(program) && !harmless.has(program)) return null
  }
  return null
}

const harmless = new Set(['cd', 'echo', 'true', 'false', 'test', '[', ':', 'printf', 'pwd'])
