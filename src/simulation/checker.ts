/** What a checker is: one law, watched while the journal is replayed event by event beside what the world saw. */
import type { Event } from '../model/event.ts'
import type { SourceTask } from '../model/source.ts'
import type { RunState } from '../model/state.ts'
import type { Scenario } from './scenario.ts'
import type { VirtualGit } from './virtual-git.ts'
import type { Step, Rest } from './witness.ts'

export interface Violation {
  law: string
  detail: string
  /** The event at which it shows; null when it shows at the end. */
  seq: number | null
}

/** One finished history, with everything that can be known about it. */
export interface History {
  scenario: Scenario
  events: readonly Event[]
  steps: readonly Step[]
  rests: readonly Rest[]
  git: VirtualGit
  /** What is in the source of tasks at the end; nothing where there is none. */
  sourceTasks: readonly SourceTask[]
  /** Processes that were still there at the end. */
  left: readonly string[]
  /** The same world without faults, where every history must come to the same end. */
  twin: Ending | null
}

export interface Ending {
  status: RunState['status']
  reason: string | null
  tasks: Record<string, string>
  files: Readonly<Record<string, string>>
  /** The user gave tasks another chance, at a moment that is not the same in every history. */
  helped: boolean
}

export interface Watch {
  /** `state` is the one before the event; it may be looked at, not kept. */
  before?(event: Event, state: RunState): void
  after?(event: Event, state: RunState): void
  end?(state: RunState): void
}

export type Report = (detail: string, seq?: number) => void

export interface Checker {
  law: string
  watch(history: History, report: Report): Watch
}
