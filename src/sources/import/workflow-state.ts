/** Imports the request in `.loop/workflow-state.json`. The tasks of that workflow are stored elsewhere. */
import { at, isObject, numberAt, textAt, textsAt } from '../json-value.ts'
import type { SourceStatus } from '../../model/source.ts'
import { importedTask, titled, type Reading } from './imported.ts'

const stages = ['intent', 'shape', 'decompose', 'planning', 'executing', 'review', 'complete', 'cancelled']

export const isWorkflowState = (value: unknown): boolean =>
  stages.includes(textAt(value, 'stage')) && textAt(value, 'task').trim() !== ''

export function readWorkflowState(value: unknown): Reading {
  const stage = textAt(value, 'stage')
  const status: SourceStatus = stage === 'complete' ? 'done' : stage === 'cancelled' ? 'cancelled' : 'todo'
  const scores = ['spec_score', 'fit_score'].flatMap((key) =>
    numberAt(value, key) === null ? [] : `${key} ${numberAt(value, key)}`,
  )
  const recalled = textsAt(value, 'recall_surfaced')
  const plan = textAt(at(value, 'plan'), 'file_path')
  return {
    tasks: [
      importedTask({
        id: '#1',
        named: false,
        ...titled(textAt(value, 'task')),
        status,
        reason: status === 'cancelled' ? 'cancelled there' : null,
        files: textsAt(at(value, 'plan'), 'files_to_modify'),
        tags: [stage],
      }),
    ],
    notes: [
      'its tasks are in a task list of Claude Code: `looper import --claude` imports them',
      ...(scores.length > 0 ? [`scores are not carried over: ${scores.join(', ')}`] : []),
      ...(recalled.length > 0 ? [`recalled learnings are not carried over: ${recalled.join(', ')}`] : []),
      ...(plan === '' ? [] : [`it names a plan: \`looper import ${plan}\` may have more`]),
      ...openBlockers(at(value, 'reviews')),
    ],
  }
}

function openBlockers(reviews: unknown): string[] {
  if (!isObject(reviews)) return []
  return Object.entries(reviews).flatMap(([name, review]) => {
    const left = numberAt(review, 'blockers_remaining') ?? numberAt(review, 'blockers') ?? 0
    return left > 0 ? [`its review ${name} left ${left} blockers open`] : []
  })
}
