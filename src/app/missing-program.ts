/** Reports the program that a check starts and that does not exist. Where that is not certain, nothing is reported. */
import { findProgram, type Place } from './locate-agent.ts'

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
/** In such a line only the first word is certain to be a program. */
const intricate = /["'`$\\(){}<>#\n]/

/** The first program of the shell line that is not in PATH; null when there is none. */
export async function missingProgram(line: string, place: Place): Promise<string | null> {
  const commands = intricate.test(line) ? [line] : line.split(/&&|\|\||[;|&]/)
  for (const command of commands) {
    const program =
      command
        .trim()
        .split(/\s+/)
        .find((word) => !assignment.test(word)) ?? ''
    // Set-up may make a file at this path, and a path can start at another folder after `cd`.
    const isCertain = programName.test(program) && !program.includes('/') && !builtIn.has(program)
    if (isCertain && (await findProgram(program, place)) === null) return program
    // Functions and changed paths of the rest of the line are not known.
    if (builtIn.has(program) && !harmless.has(program)) return null
  }
  return null
}

const harmless = new Set(['cd', 'echo', 'true', 'false', 'test', '[', ':', 'printf', 'pwd'])
