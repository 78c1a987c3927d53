/** Says in words how a turn of an agent failed. Journals store the kinds. */
import { agentErrorKinds, type AgentErrorKind } from '../../model/agent-error.ts'
import { withLevelWords } from './verdict-words.ts'

/** After "the agent". */
export const errorWords: Readonly<Record<AgentErrorKind, string>> = {
  rate_limited: 'is rate limited',
  usage_limit: 'has used up its quota',
  overloaded: 'is overloaded',
  network: 'could not reach its provider',
  auth: 'is not logged in',
  config: 'is not configured correctly',
  context_overflow: 'got a prompt that is too long for its model',
  bad_response: 'gave no usable answer',
  max_turns: 'used up its own limit of turns',
  budget: 'used up its budget',
  session_not_found: 'lost its session',
  timeout: 'took too long',
  stalled: 'was silent for too long',
  interrupted: 'was interrupted',
  crash: 'ended without an answer',
  unknown: 'failed',
}

const kindAtStart = new RegExp(`^((?:no [a-z ]+|the judge): )?(${agentErrorKinds.join('|')}): `)

/**
 * "no plan: crash: gone" becomes "no plan: the agent ended without an answer: gone". The level of a verdict becomes
 * words too.
 */
export const withErrorWords = (text: string): string =>
  withLevelWords(text).replace(
    kindAtStart,
    (_, before: string | undefined, kind: AgentErrorKind) => `${before ?? ''}the agent ${errorWords[kind]}: `,
  )

/** Whether the text says that an agent answered wrongly or not at all. */
export const isAgentTrouble = (text: string): boolean => /^(?:[^:]+: )?(?:bad_response|crash): /.test(text)
