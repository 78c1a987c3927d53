/** Classifies the end of an agent whose stream does not explain it: never started, asked to stop, or crashed. */
import { constants } from 'node:os'
import { agentError, type AgentError } from '../model/agent-error.ts'
import type { Ending } from './adapter.ts'

/** Signals that ask for an end and do not force it. */
const asking = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const keptChars = 1_000

/** `words`: the end of the agent's messages, for a crash with an empty stderr. */
export function judgeExit(
  { code, signal, stderr }: Pick<Ending, 'code' | 'signal' | 'stderr'>,
  words: string,
): AgentError {
  const asked = asking.find((name) => name === signal || code === 128 + constants.signals[name])
  if (asked !== undefined) return agentError('interrupted', `the agent was interrupted by ${asked}`)
  const how =
    signal !== null
      ? `was ended by ${signal}`
      : code === null
        ? 'ended without an answer'
        : code === 0
          ? 'exited with code 0 before the turn was over'
          : `exited with code ${code}`
  const why = (stderr.trim() || words.trim()).slice(-keptChars)
  return agentError('crash', `the agent ${how}${why === '' ? '' : `: ${why}`}`)
}

export function judgeStart({ code, message }: NodeJS.ErrnoException, program: string): AgentError {
  const problem = (kind: AgentError['kind'], why: string): AgentError =>
    agentError(kind, `cannot start "${program}": ${why}`)
  switch (code) {
    case 'ENOENT':
      return problem('config', 'there is no such program')
    case 'EACCES':
      return problem('config', 'it is not executable')
    case 'EAGAIN':
    case 'ENOMEM':
    case 'EMFILE':
    case 'ENFILE':
      return problem('overloaded', 'this machine cannot start another process')
    default:
      return problem('config', message)
  }
}
