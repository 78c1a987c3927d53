/** Commands that people can send to a run. */
import type { Limits } from './config.ts'

/** A command to a live or paused run. Each becomes exactly one event. `id` is its name in the inbox. */
export type Command = { id: string } & (
  | { do: 'pause' }
  | { do: 'stop' }
  | { do: 'abort' }
  | { do: 'answer'; question: string; answer: string }
  | { do: 'add'; task: TaskRequest }
  | { do: 'retry'; task: string }
  | { do: 'skip'; task: string; reason: string | null }
  | { do: 'limit'; limits: Partial<Limits> }
  /** `to`: a checkpoint, a landed commit, or `base`; null: the last good checkpoint. */
  | { do: 'rollback'; to: string | null }
)

export interface TaskRequest {
  title: string
  description: string
  dependsOn: string[]
  criteria: string[]
  priority: number | null
  repairs?: string[]
  allows?: string[]
}
