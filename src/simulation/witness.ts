/** The record of what really happened in the virtual world. The checkers compare it with the journal. */
import type { Command } from '../model/event.ts'
import type { SourceTask } from '../model/source.ts'
import type { CheckWork, TurnWork } from '../model/work.ts'
import type { Fault, HandEdit } from './scenario.ts'
import type { How } from './virtual-dispatch.ts'
import type { Edited } from './virtual-source.ts'

/** `durable` is the number of durable events at that moment. */
export type Step = { durable: number; atMs: number } & (
  | { kind: 'engine'; life: number; what: 'starts' | 'rests' | 'refuses'; why: string }
  | { kind: 'fault'; fault: Fault }
  /** A process started in this folder, which contained this tree; `promised`: its start was in the journal. */
  | { kind: 'process'; work: TurnWork | CheckWork; starts: number; folder: string; promised: boolean; tree: string }
  /** `wanted`: the work is still running according to the journal. */
  | { kind: 'process-over'; id: string; starts: number; how: How; wanted: boolean; turn: boolean }
  /** Git did something for this work. */
  | { kind: 'git'; work: string; promised: boolean }
  | { kind: 'landed'; task: string; work: string; commit: string; tree: string }
  | { kind: 'rolled-back'; from: string; to: string }
  | { kind: 'announced'; seq: number }
  /** The user sent a command: to a live engine, or straight into the journal of a resting run. */
  | { kind: 'sent'; command: Command; to: 'inbox' | 'journal' }
  /** An engine has processed a command; `begun`: it had recorded an event by then. */
  | { kind: 'acknowledged'; id: string; begun: boolean }
  /** A person edited the task source: the task's state before, and now; absent when it is gone. */
  | ({ kind: 'hand'; edit: HandEdit } & Edited)
  | { kind: 'claim'; task: string; ok: boolean }
  /** The whole source was rewritten. */
  | { kind: 'replaced' }
  /**
   * A run that rests after this event has sent all updates to its source: its tasks now, and the tasks that others
   * have.
   */
  | { kind: 'settled'; seq: number; tasks: SourceTask[]; others: string[] }
)

type StepOf = Step extends infer S ? (S extends Step ? Omit<S, 'durable' | 'atMs'> : never) : never

/** The final state of an engine that rests, as text. */
export interface Rest {
  seq: number
  state: string
}

export interface Witness {
  readonly steps: readonly Step[]
  readonly rests: readonly Rest[]
  saw(step: StepOf): void
  rested(rest: Rest): void
}

export function createWitness(durable: () => number, now: () => number): Witness {
  const steps: Step[] = []
  const rests: Rest[] = []
  return {
    steps,
    rests,
    saw(step) {
      steps.push({ durable: durable(), atMs: now(), ...step })
    },
    rested(rest) {
      rests.push(rest)
    },
  }
}
