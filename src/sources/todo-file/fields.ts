/**
 * Declares every known field of a backlog in canonical order: types, validation, formatting and the JSON Schema derive
 * from it.
 */
import { permissionNoun, permissionPattern } from '../../model/permission.ts'
import { sourceStatuses } from '../../model/source.ts'
import { oneOf } from '../../schema/describe.ts'
import { omittable, required } from '../../schema/field.ts'
import type { Fields, ObjectOf } from '../../schema/shape.ts'
import { called, choice, list, openObject, string, textLike, whole } from '../../schema/spec.ts'
import { statusWords } from './status.ts'

/** Ids become variables, folder names and lines of text, so control characters are not allowed. */
const controls = '\\u0000-\\u001F\\u007F-\\u009F'
export const idPattern = new RegExp(`^[^\\s${controls}](?:[^${controls}]{0,98}[^\\s${controls}])?$`)

const filled = textLike('a text that is not empty', /\S/)
const id = textLike('a text of one line, at most 100 characters, without spaces around it', idPattern)
const permission = textLike(permissionNoun, permissionPattern)
const texts = called('a list of texts', list(string))

export const taskFields = {
  id: required(id, 'The name of the task; no two have the same.'),
  title: required(filled, 'What is to be done, in one line.'),
  description: omittable(string, 'What is to be done, in full.'),
  reference: omittable(string, 'Where to look: files, pages, documents.'),
  priority: omittable(
    called('a whole number from 0 up', whole({ max: Number.MAX_SAFE_INTEGER })),
    'Lower is sooner; 3 when absent.',
  ),
  status: omittable(called(oneOf(sourceStatuses), choice(...statusWords)), 'Where it stands; todo when absent.'),
  reason: omittable(string, 'Why it was cancelled.'),
  details: omittable(string, 'Notes on how.'),
  steps: omittable(texts, 'What to do, one after the other.'),
  criteria: omittable(texts, 'When it counts as done.'),
  blockers: omittable(texts, 'What keeps it from being done.'),
  tags: omittable(texts, 'Words to find it by.'),
  type: omittable(string, 'What kind of task it is.'),
  files: omittable(texts, 'Files that it is about, and those that were changed for it.'),
  repairs: omittable(called('a list of names of checks', list(filled)), 'Red checks that it is to fix.'),
  allows: omittable(
    called('a list of permissions', list(permission)),
    'What it may weaken, as remove-tests or skip-tests:test/old/**.',
  ),
  depends_on: omittable(called('a list of ids of tasks', list(id)), 'Tasks that have to be done before it.'),
  summary: omittable(string, 'What was done.'),
  added_by: omittable(
    choice('person', 'agent'),
    'Who wrote it; a person when absent. The words of an agent allow nothing.',
  ),
  created_at: omittable(string, 'ISO time.'),
  updated_at: omittable(string, 'ISO time.'),
} satisfies Fields

/** A task of a valid backlog. */
export type BacklogTask = ObjectOf<typeof taskFields>

export const projectFields = {
  name: omittable(string, 'What the project is called.'),
  root: omittable(string, 'Where it lies.'),
} satisfies Fields

const completedFields = {
  at: omittable(string, 'ISO time.'),
  run: omittable(string, 'The run that found nothing left to do.'),
} satisfies Fields

const task = called('a task: { "id": "T001", "title": "…" }', openObject(taskFields))

export const rootFields = {
  $schema: omittable(string, 'For editors.'),
  schema_version: omittable(
    called('1, which is all that this version of Looper knows', whole({ min: 1, max: 1 })),
    'Of this format.',
  ),
  project: omittable(
    called('an object: { "name": "…", "root": "." }', openObject(projectFields)),
    'What the backlog is for.',
  ),
  source_files: omittable(texts, 'Documents that the tasks were taken from; agents are asked to read them.'),
  completed: omittable(
    called('an object: { "at": "…", "run": "…" }', openObject(completedFields)),
    'Set by Looper when a last look found nothing left to do.',
  ),
  tasks: required(called('a list of tasks', list(task)), 'The tasks, in any order.'),
} satisfies Fields

/** A valid backlog. */
export type Backlog = ObjectOf<typeof rootFields>

export const rootSpec = called('an object: { "tasks": [ … ] }', openObject(rootFields))
