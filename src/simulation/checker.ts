/**
 * The checker interface: one law, checked while the journal is replayed event by event next to the record of the world.
 */
import type { Event } from '../model/event.ts'
import type { SourceTask } from '../model/source.ts'
import type { RunState } from '../model/state.ts'
import type { Scenario } from './scenario.ts'
import type { VirtualGit } from './virtual-git.ts'
import type { Step, Rest } from './witness.ts'

export interface Violation {
  law: string
  detail: string
  /** The event that violates the law; null when the violation shows at the end. */
  seq: number | null
}

/** A finished history, with everything that is known about it. */
export interface History {
  scenario: Scenario
  events: readonly Event[]
  steps: readonly Step[]
  rests: readonly Rest[]
  git: VirtualGit
  /** The content of the task source at the end; empty when there is none. */
  sourceTasks: readonly SourceTask[]
  /** Processes that were still running at the end. */
  left: readonly string[]
  /** The ending of the same world without faults, for the checkers that compare it. */
  twin: Ending | null
}

export interface Ending {
  status: RunState['status']
  reason: string | null
  tasks: Record<string, string>
  files: Readonly<Record<string, string>>
  /** The user reopened tasks, at a moment that differs between histories. */
  helped: boolean
}

export interface Watch {
  /** `state` is the one before the event. It may be read, but not kept. */
  before?(event: Event, state: RunState): void
  after?(event: Event, state: RunState): void
  end?(state: RunState): void
}

export type Report = (detail: string, seq?: number) => void

export interface Checker {
  law: string
  /** Whether it compares with the same world without faults, which is played only then. */
  comparesTwin?: true
  watch(history: History, report: Report): Watch
}
