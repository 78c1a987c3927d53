/** What an agent's end says when its stream does not: asked to stop, or crashed. */
import { constants } from 'node:os'
import type { AgentError } from '../model/agent-error.ts'
import type { Ending } from './adapter.ts'

/** Asking for an end, not forcing it. */
const asking = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const keptChars = 1_000

/** `words`: the end of what the agent said, for a crash that has nothing on stderr. */
export function judgeExit({ code, signal, stderr }: Ending, words: string): AgentError {
  const asked = asking.find((name) => name === signal || code === 128 + constants.signals[name])
  if (asked !== undefined) return { kind: 'interrupted', message: `the agent was interrupted by ${asked}`, resetsAt: null }
  const how = signal !== null ? `was ended by ${signal}` : code === null ? 'ended without an answer'
    : code === 0 ? 'exited as if all were well, without coming to an end' : `exited with code ${code}`
  const why = (stderr.trim() || words.trim()).slice(-keptChars)
  return { kind: 'crash', message: `the agent ${how}${why === '' ? '' : `: ${why}`}`, resetsAt: null }
}
