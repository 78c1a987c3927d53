/**
 * Lists every known field of a backlog in canonical order: validation, formatting and the JSON Schema derive from it.
 */
import { permissionNoun, permissionPattern } from '../../model/permission.ts'
import { sourceStatuses } from '../../model/source.ts'
import { statusWords } from './status.ts'

export type Spec =
  | { is: 'text'; noun: string; pattern?: RegExp }
  | { is: 'whole'; noun: string; min: number; max: number }
  /** `shown` are the choices listed in error messages. */
  | { is: 'choice'; of: readonly string[]; shown: readonly string[] }
  | { is: 'list'; of: Spec; noun: string }
  /** Unknown fields are kept and not validated. */
  | { is: 'object'; fields: readonly NamedField[]; noun: string }

export interface Field {
  spec: Spec
  about: string
  /** A field that is not required may be absent or null. */
  required: boolean
}
export type Fields = Readonly<Record<string, Field>>
export interface NamedField extends Field {
  name: string
}

/** Ids become variables, folder names and lines of text, so control characters are not allowed. */
const controls = '\\u0000-\\u001F\\u007F-\\u009F'
export const idPattern = new RegExp(`^[^\\s${controls}](?:[^${controls}]{0,98}[^\\s${controls}])?$`)

const text: Spec = { is: 'text', noun: 'a text' }
const filled: Spec = { is: 'text', noun: 'a text that is not empty', pattern: /\S/ }
const id: Spec = {
  is: 'text',
  noun: 'a text of one line, at most 100 characters, without spaces around it',
  pattern: idPattern,
}
const permission: Spec = { is: 'text', noun: permissionNoun, pattern: permissionPattern }
const authors = ['person', 'agent']
const texts: Spec = { is: 'list', of: text, noun: 'a list of texts' }
const optional = (spec: Spec, about: string): Field => ({ spec, about, required: false })
const required = (spec: Spec, about: string): Field => ({ spec, about, required: true })
const object = (fields: Fields, noun: string): Spec => ({
  is: 'object',
  fields: Object.entries(fields).map(([name, field]) => ({ name, ...field })),
  noun,
})

export const taskFields = {
  id: required(id, 'The name of the task; no two have the same.'),
  title: required(filled, 'What is to be done, in one line.'),
  description: optional(text, 'What is to be done, in full.'),
  reference: optional(text, 'Where to look: files, pages, documents.'),
  priority: optional(
    { is: 'whole', noun: 'a whole number from 0 up', min: 0, max: Number.MAX_SAFE_INTEGER },
    'Lower is sooner; 3 when absent.',
  ),
  status: optional({ is: 'choice', of: statusWords, shown: sourceStatuses }, 'Where it stands; todo when absent.'),
  reason: optional(text, 'Why it was cancelled.'),
  details: optional(text, 'Notes on how.'),
  steps: optional(texts, 'What to do, one after the other.'),
  criteria: optional(texts, 'When it counts as done.'),
  blockers: optional(texts, 'What keeps it from being done.'),
  tags: optional(texts, 'Words to find it by.'),
  type: optional(text, 'What kind of task it is.'),
  files: optional(texts, 'Files that it is about, and those that were changed for it.'),
  repairs: optional({ is: 'list', of: filled, noun: 'a list of names of checks' }, 'Red checks that it is to fix.'),
  allows: optional(
    { is: 'list', of: permission, noun: 'a list of permissions' },
    'What it may weaken, as remove-tests or skip-tests:test/old/**.',
  ),
  depends_on: optional({ is: 'list', of: id, noun: 'a list of ids of tasks' }, 'Tasks that have to be done before it.'),
  summary: optional(text, 'What was done.'),
  added_by: optional(
    { is: 'choice', of: authors, shown: authors },
    'Who wrote it; a person when absent. The words of an agent allow nothing.',
  ),
  created_at: optional(text, 'ISO time.'),
  updated_at: optional(text, 'ISO time.'),
} satisfies Fields

export const projectFields = {
  name: optional(text, 'What the project is called.'),
  root: optional(text, 'Where it lies.'),
} satisfies Fields

export const completedFields = {
  at: optional(text, 'ISO time.'),
  run: optional(text, 'The run that found nothing left to do.'),
} satisfies Fields

export const taskSpec: Spec = object(taskFields, 'a task: { "id": "T001", "title": "…" }')

export const rootFields = {
  $schema: optional(text, 'For editors.'),
  schema_version: optional(
    { is: 'whole', noun: '1, which is all that this version of Looper knows', min: 1, max: 1 },
    'Of this format.',
  ),
  project: optional(object(projectFields, 'an object: { "name": "…", "root": "." }'), 'What the backlog is for.'),
  source_files: optional(texts, 'Documents that the tasks were taken from; agents are told to read them.'),
  completed: optional(
    object(completedFields, 'an object: { "at": "…", "run": "…" }'),
    'Set by Looper when a last look found nothing left to do.',
  ),
  tasks: required({ is: 'list', of: taskSpec, noun: 'a list of tasks' }, 'The tasks, in any order.'),
} satisfies Fields

export const rootSpec: Spec = object(rootFields, 'an object: { "tasks": [ … ] }')
