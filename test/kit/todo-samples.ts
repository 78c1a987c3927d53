/** Samples of tasks and updates, for tests of the backlog file. */
import type { SourceTask, SourceUpdate } from '../../src/model/source.ts'

export const at = '2026-01-01T00:00:00.000Z'
export const change = (overrides: Partial<SourceUpdate>): SourceUpdate => ({
  status: 'done',
  reason: null,
  summary: null,
  files: [],
  at,
  ...overrides,
})
export const sample = (overrides: Partial<SourceTask>): SourceTask => ({
  id: 'T9',
  title: 'new',
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: 2,
  status: 'todo',
  reason: null,
  ...overrides,
})
export const tasks = (...list: object[]): object => ({
  tasks: list.map((task, index) => ({ id: `T${index + 1}`, title: `task ${index + 1}`, ...task })),
})
