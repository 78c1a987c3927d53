/** What people may ask of a run. */
import type { Limits } from './config.ts'

/** What a person may ask of a live or paused run; each becomes exactly one event. `id` is its name in the inbox. */
export type Command = { id: string } & (
  | { do: 'pause' }
  | { do: 'stop' }
  | { do: 'abort' }
  | { do: 'answer'; question: string; answer: string }
  | { do: 'add'; task: TaskRequest }
  | { do: 'retry'; task: string }
  | { do: 'skip'; task: string; reason: string | null }
  | { do: 'limit'; limits: Partial<Limits> }
  /** `to`: a checkpoint, a commit that landed, or `base`; null: the last good checkpoint. */
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
