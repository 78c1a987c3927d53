/** A store of tasks with what a test planted in it, and how a test reads it again. */
import type { SourceStatus, SourceTask, SourceUpdate, TaskStore } from '../../src/model/source.ts'

export interface Planted {
  title: string
  description?: string
  criteria?: string[]
  /** Indexes of tasks in the same list. */
  dependsOn?: number[]
  status?: 'todo' | 'done'
}

export interface StoreScenario {
  /** The source's own names of what was planted. */
  ids: string[]
  /** A store that knows nothing yet. */
  open(): TaskStore
  /** The task as its owner has it, with what Looper knows nothing about. */
  raw(id: string): unknown
  /** Another actor, with tools of its own. */
  elsewhere: { rename(id: string, title: string): void; finish(id: string): void }
  /** For a process of its own: a module, and a call of something it exports. Not needed where nothing is shared. */
  inProcess?: { module: string; call: string }
  remove(): void
}

/**
 * `plant`: makes a store with these tasks, which it lists in this order, each with a field that Looper does not know
 * and `raw` shows as `unknown`.
 */
export interface Kind {
  name: string
  /** Whether several runs may work on one store at the same time; otherwise a run has it to itself. */
  isShared: boolean
  plant(tasks: readonly Planted[]): StoreScenario
}

export const at = '2026-03-01T10:00:00.000Z'
export const change = (status: SourceStatus, more: Partial<SourceUpdate> = {}): SourceUpdate => ({
  status,
  reason: null,
  summary: null,
  files: [],
  at,
  ...more,
})
export const found: SourceTask = {
  id: 'T900',
  title: 'Found on the way',
  description: 'More about it.\nIn two lines.',
  dependsOn: [],
  criteria: ['it works', 'it is fast'],
  files: ['src/a.ts'],
  type: 'bug',
  priority: 1,
  status: 'todo',
  reason: null,
}

export interface PlantedStore {
  /** What the last call of `plant` made. */
  readonly scenario: StoreScenario
  plant(...tasks: Planted[]): TaskStore
  listed(): Promise<SourceTask[]>
  one(id: string): Promise<SourceTask>
  /** The id of the first planted task. */
  first(): string
}

export function plantedStore(kind: Kind): PlantedStore {
  let scenario: StoreScenario
  const listed = async (): Promise<SourceTask[]> => (await scenario.open().list()) ?? []
  return {
    get scenario() {
      return scenario
    },
    plant(...tasks) {
      scenario = kind.plant(tasks)
      return scenario.open()
    },
    listed,
    one: async (id) => (await listed()).find((task) => task.id === id) as SourceTask,
    first: () => scenario.ids[0] as string,
  }
}
