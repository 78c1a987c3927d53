/** What an adapter is held to: its recordings, what is to come of each, and where a law has a looser form for it. */
import type { AgentAdapter, AgentEvent, PlanRequest } from '../../src/agents/adapter.ts'
import type { AgentErrorKind } from '../../src/model/agent-error.ts'
import type { AgentConfig } from '../../src/model/config.ts'
import type { TurnWork } from '../../src/model/work.ts'
import type { Recording } from './recording.ts'

/** What is to come of a recording; what is not named is not there. */
export interface Expected {
  value?: object
  /** Without one the turn ended well, and only its answer may be wrong. */
  failure?: AgentErrorKind
  /** In its failure, its problem or its text. */
  message?: string
  /**
   * The recorded one: to the second, or with what a clock without seconds leaves open. The place where it is said is unknown
   * only now.
   */
  resets?: 'exact' | 'within a minute' | 'by the clock of today'
  /** Where no time is recorded. */
  resetsAt?: string
  /** Seconds after its last event, where it tells a span of time. */
  resetsIn?: number
  /** Input (all of it), output, US dollars. */
  usage?: [input: number, output: number, costUsd: number]
  /** Whether the session can be resumed; most can. */
  session?: false
  steps?: number
  unrecoverable?: AgentErrorKind
  events?: AgentEvent[] | ((recording: Recording) => AgentEvent[])
  /** Names of tools. */
  uses?: string[]
  agent?: AgentConfig
  work?: Partial<TurnWork>
  rights?: PlanRequest['rights']
}

/** Laws that an adapter keeps in a looser form, each with the reason. */
export interface Looser {
  /** Unknown events may be the answer or text: they change no more than these. */
  anyObjectAnswers?: string
  /** A stream that is cut is no failure where it exits well, but has no answer that was not told before. */
  silenceIsNoFailure?: string
  /** What looks like the end counts only with an exit of 0. */
  exitDecides?: string
  /** The id of a session is any text. */
  anySessionId?: string
  /** Dollars are in the answer, and not in the events. */
  costComesLast?: string
  /** Recordings in which each round looks like an end, so that only who ended it knows that there was none. */
  goesInCircles?: string[]
}

export interface Contract {
  adapter: AgentAdapter
  /** In test/recordings: the program and its version. */
  folder: string
  agent: AgentConfig
  cases: Record<string, Expected>
  /** Under which key the first line tells the session. */
  sessionKey: string
  looser?: Looser
  /** Recordings of which nothing is expected, each with the reason. */
  unplayed?: Record<string, string>
  /** Where what is recorded is not what the adapter reads. */
  read?: (name: string, expected: Expected) => Promise<Recording>
  /** Entries of what its `gather` finds. */
  extras?: object[]
}
