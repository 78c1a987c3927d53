/**
 * Imports the tasks of all agents in `.claude-looper/state.json`. Failed tasks are to be tried again; a task that was
 * split is replaced by its subtasks.
 */
import { at, isObject, listAt, nameAt, textAt, textsAt, type JsonObject } from '../json-value.ts'
import { statusOf } from '../status-words.ts'
import { importedTask, titled, withKnownDependencies, type ImportedTask, type Reading } from './imported.ts'

export const isClaudeLooperState = (value: unknown): boolean =>
  isObject(at(value, 'agents'))
  && Object.values(at(value, 'agents') as JsonObject).some((agent) => Array.isArray(at(agent, 'tasks')))

interface Known {
  id: string
  goal: string
  record: unknown
  parts: string[]
}

export function readClaudeLooperState(value: unknown): Reading {
  const notes: string[] = []
  const all = Object.values(at(value, 'agents') as JsonObject)
    .flatMap((agent) => listAt(agent, 'tasks'))
    .flatMap((record): Known[] => {
      const id = nameAt(record, 'id')
      if (id === '' || textAt(record, 'description').trim() === '') return []
      return [{ id, goal: nameAt(record, 'parentGoalId'), record, parts: textsAt(record, 'subtasks') }]
    })
  const there = new Map(all.map((known) => [known.id, known]))
  const replaced = new Map(
    all.flatMap(({ id, record, parts }) => {
      const present = parts.filter((part) => there.has(part))
      return textAt(record, 'status') === 'blocked' && present.length > 0 ? [[id, present]] : []
    }),
  )
  for (const [id, parts] of replaced) notes.push(`${id} was replaced by ${parts.join(', ')}`)
  const tasks = all
    .filter(({ id }) => !replaced.has(id))
    .map((known) => {
      const dependsOn = dependenciesOf(known, all).flatMap((id) => leavesOf(id, replaced))
      return taskOf(known, [...dependsOn, ...known.parts.flatMap((id) => leavesOf(id, replaced))], notes)
    })
  return withKnownDependencies({ tasks, notes })
}

function taskOf({ id, record }: Known, dependsOn: string[], notes: string[]): ImportedTask {
  const [word, metadata] = [textAt(record, 'status'), at(record, 'metadata')]
  const status = word === 'blocked' ? 'todo' : statusOf(word)
  if (status === null) notes.push(`${id}: its status "${word}" is unknown: imported as todo`)
  if (word === 'failed') notes.push(`${id} had failed: it will be tried again`)
  const complexity = textAt(metadata, 'complexity')
  return importedTask({
    id,
    ...titled(textAt(record, 'description')),
    dependsOn,
    status: status ?? 'todo',
    criteria: textsAt(metadata, 'verificationCriteria'),
    parent: nameAt(record, 'parentTaskId') || null,
    tags: complexity === '' ? [] : [complexity],
  })
}

/** Dependencies are indexes, counted from 0, into the top-level tasks of the same goal. */
function dependenciesOf({ goal, record }: Known, all: readonly Known[]): string[] {
  const plan = all.filter((other) => other.goal === goal && nameAt(other.record, 'parentTaskId') === '')
  return listAt(at(record, 'metadata'), 'dependencies').flatMap((dependency) => {
    if (typeof dependency === 'number') return plan[dependency]?.id ?? []
    return typeof dependency === 'string' ? dependency : []
  })
}

/** Returns the tasks that replace a task that was split, recursively. */
function leavesOf(
  id: string,
  replaced: ReadonlyMap<string, readonly string[]>,
  seen: readonly string[] = [],
): string[] {
  const parts = seen.includes(id) ? undefined : replaced.get(id)
  return parts === undefined ? [id] : parts.flatMap((part) => leavesOf(part, replaced, [...seen, id]))
}
