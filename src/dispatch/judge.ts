/** Derives a turn's outcome from what its process left. The answer decides first, then how the process ended. */
import type { TurnAnswer } from '../agents/adapter.ts'
import { maskDeep, type Mask } from '../agents/mask.ts'
import { boundedText } from '../agents/bounded-text.ts'
import { validateResult } from '../agents/result.ts'
import { agentError, type AgentError } from '../model/agent-error.ts'
import type { Purpose } from '../model/purposes.ts'
import type { TurnOutcome } from '../model/work.ts'
import type { Why } from './supervise.ts'

export type Judgment =
  | { status: 'ok'; result: unknown }
  | { status: 'invalid'; errors: string[]; text: string }
  | { status: 'error'; error: AgentError }

export interface Judged {
  purpose: Purpose
  why: Why
  answer: TurnAnswer
  mask: Mask
  /** The limits, for the error message. */
  timeoutMs: number | null
  stallMs: number | null
  maxSteps: number | null
  totalBytes: number
  diskBytes: number | null
  unrecoverable: AgentError | null
}

export async function judge({ purpose, why, answer, mask, ...limits }: Judged): Promise<Judgment> {
  const ended = endedByUs(why, limits)
  if (ended !== null) return { status: 'error', error: { ...ended, message: boundedText(ended.message, mask) } }
  const validation = answer.value === null ? null : await validateResult(purpose, answer.value)
  if (validation?.ok) return { status: 'ok', result: maskDeep(validation.result, mask) }
  if (answer.failure !== null) {
    return { status: 'error', error: { ...answer.failure, message: boundedText(answer.failure.message, mask) } }
  }
  const errors = [...(validation?.errors ?? []), ...(answer.problem === null ? [] : [answer.problem])]
  return {
    status: 'invalid',
    errors: errors.map((error) => boundedText(error, mask, 300)),
    text: boundedText(answer.text, mask),
  }
}

function endedByUs(why: Why, limits: Omit<Judged, 'purpose' | 'why' | 'answer' | 'mask'>): AgentError | null {
  switch (why) {
    case 'timeout':
      return agentError('timeout', `the agent did not finish within ${seconds(limits.timeoutMs)}`)
    case 'stalled':
      return agentError('stalled', `the agent printed nothing for ${seconds(limits.stallMs)}`)
    case 'flooded':
      return agentError(
        'bad_response',
        `the agent flooded its output: more than ${Math.round(limits.totalBytes / 1e6)} MB`,
      )
    case 'overspent':
      return agentError('budget', 'the agent continued after a spending limit of the run was reached')
    case 'disk': {
      const most = megabytes(limits.diskBytes)
      return agentError('bad_response', `the agent filled the disk: the turns of this run wrote more than ${most}`)
    }
    case 'unrecoverable':
      return limits.unrecoverable
    case 'looping':
      return agentError('max_turns', `the agent took more than ${limits.maxSteps} steps without finishing`)
    case 'exited':
    case 'cancelled':
      return null
  }
}

const megabytes = (bytes: number | null): string => `${Math.round((bytes ?? 0) / 1e5) / 10} MB`
const seconds = (ms: number | null): string => `${Math.round((ms ?? 0) / 100) / 10} s`

export const toOutcome = (
  judgment: Judgment,
  { usage, sessionId }: TurnAnswer,
  durationMs: number,
  mask: Mask,
): TurnOutcome => ({
  kind: 'turn',
  ...judgment,
  usage,
  durationMs: Math.max(0, Math.round(durationMs)),
  edited: [],
  sessionId: sessionId === null ? null : boundedText(sessionId, mask, 200) || null,
})
