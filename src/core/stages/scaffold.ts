/** The scaffold stage: one task creates the shared structure before the tasks of a plan run in parallel. */
import { repairOrigin, scaffoldTask, type TaskSpec } from '../../model/task.ts'
import type { RunState } from '../../model/state.ts'
import { enterNext, record, type Proposal } from '../proposal.ts'
import { findTask } from '../tasks/task-graph.ts'
import { scheduleTasks } from './execute.ts'
import { nextReady, startTask, unready } from './scheduling/start-task.ts'

export function decideScaffold(state: RunState): Proposal {
  if (!findTask(state, scaffoldTask)) return record({ type: 'task.added', task: scaffold, origin: 'scaffold' })
  return scheduleTasks(state, { start, idle: enterNext })
}

const scaffold: TaskSpec = {
  id: scaffoldTask,
  title: 'Lay the ground for all tasks',
  complexity: 'medium',
  type: 'scaffold',
  description:
    'Make what several tasks of the plan stand on: folders, interfaces, shared types, empty modules. No task itself.',
  dependsOn: [],
  criteria: ['Every task of the plan can begin without waiting for another one’s files'],
  checks: [],
  files: [],
  priority: -1,
  parent: null,
  depth: 0,
}

function start(state: RunState): Proposal | null {
  const id = nextReady(state)
  const isFirst = id === scaffoldTask || (id !== null && findTask(state, id)?.origin === repairOrigin)
  return isFirst ? (unready(state, id) ?? startTask(state, id)) : null
}
