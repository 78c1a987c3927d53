/** What really happened in the virtual world, beside what the journal says: the checkers compare the two. */
import type { Command } from '../model/event.ts'
import type { SourceTask } from '../model/source.ts'
import type { CheckWork, TurnWork } from '../model/work.ts'
import type { Fault, HandEdit } from './scenario.ts'
import type { How } from './virtual-dispatch.ts'
import type { Edited } from './virtual-source.ts'

/** `durable` is the number of events that were safe at that moment. */
export type Step = { durable: number; atMs: number } & (
  | { kind: 'engine'; life: number; what: 'starts' | 'rests' | 'refuses'; why: string }
  | { kind: 'fault'; fault: Fault }
  /** A process began in this folder, which held this tree; `promised`: its start was in the journal. */
  | { kind: 'process'; work: TurnWork | CheckWork; starts: number; place: string; promised: boolean; tree: string }
  /** `wanted`: the journal still has it under way. */
  | { kind: 'process-over'; id: string; starts: number; how: How; wanted: boolean; turn: boolean }
  /** Git was asked to do something for this work. */
  | { kind: 'git'; work: string; promised: boolean }
  | { kind: 'landed'; task: string; work: string; commit: string; tree: string }
  | { kind: 'rolled-back'; from: string; to: string }
  | { kind: 'announced'; seq: number }
  /** The user gave an order: to a living engine, or straight into the journal of a resting run. */
  | { kind: 'sent'; command: Command; to: 'inbox' | 'journal' }
  /** An engine is through with an order; `begun`: it had recorded something by then. */
  | { kind: 'acknowledged'; id: string; begun: boolean }
  /** A person changed the source of tasks: this task was in that state there, and is so now, or gone. */
  | ({ kind: 'hand'; edit: HandEdit } & Edited)
  | { kind: 'claim'; task: string; ok: boolean }
  /** The whole source was written anew. */
  | { kind: 'replaced' }
  /**
   * A run that rests after this event has told its source everything: this is there now, and these tasks are in others'
   * hands.
   */
  | { kind: 'settled'; seq: number; tasks: SourceTask[]; others: string[] }
)

type StepOf = Step extends infer S ? (S extends Step ? Omit<S, 'durable' | 'atMs'> : never) : never

/** The state an engine came to rest with, as text. */
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
