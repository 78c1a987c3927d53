/**
 * Imports the stages of a pipeline from `.claude/pipeline-runs/<session>/state.json`. The tasks of a session are beads
 * issues with its label.
 */
import { at, isObject, listAt, nameAt, numberAt, textAt } from '../json-value.ts'
import { statusOf } from '../status-words.ts'
import { importedTask, type ImportedTask, type Reading } from './imported.ts'

const ownKeys = ['iteration', 'iteration_completed', 'history', 'stages', 'current_stage']

export const isPipelineRun = (value: unknown): boolean =>
  nameAt(value, 'session') !== '' && ownKeys.some((key) => at(value, key) !== undefined)

export const sessionOf = (value: unknown): string => nameAt(value, 'session')

export function readPipelineRun(value: unknown): Reading {
  const session = sessionOf(value)
  const notes: string[] = []
  const stages = listAt(value, 'stages').filter((stage) => isObject(stage) && nameAt(stage, 'name') !== '')
  const tasks = stages.map((stage, index): ImportedTask => {
    const word = textAt(stage, 'status') || 'pending'
    const status = statusOf(word)
    if (status === null)
      notes.push(`the stage ${nameAt(stage, 'name')}: its status "${word}" is unknown: imported as todo`)
    return importedTask({
      id: `#${index + 1}`,
      named: false,
      title: `Stage ${nameAt(stage, 'name')} of ${session}`,
      status: status ?? 'todo',
      dependsOn: index === 0 ? [] : [`#${index}`],
      tags: ['pipeline', session],
    })
  })
  const done = numberAt(value, 'iteration_completed')
  return {
    tasks,
    notes: [
      ...notes,
      `the tasks of the session are beads: \`looper import --beads --label loop/${session}\` imports them`,
      ...(done === null ? [] : [`iterations are not carried over: ${done} were complete`]),
    ],
  }
}
