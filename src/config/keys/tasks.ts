/** Keys of the workflow, and of the place that tasks come from. */
import { usualBacklog } from '../../model/config.ts'
import { sourceKinds } from '../../model/source.ts'
import { example, setting } from '../../schema/field.ts'
import { choice, nullable, text } from '../../schema/spec.ts'
import { inside } from './values.ts'

export const taskKeys = {
  workflow: example(
    setting(
      text,
      'supervised',
      'The workflow: supervised (also called converge), meta (a scaffold first, reviews by the wave), backlog, '
        + 'or the name of a pipeline.',
      'workflow',
    ),
    'backlog',
  ),
  source: setting(choice(...sourceKinds), 'todo-file', 'Where the tasks of a backlog come from.', 'source'),
  sourceName: example(
    setting(
      nullable(text),
      null,
      'The label in beads, or the task list of Claude Code; null means the default.',
      'source-name',
    ),
    'loop/auth',
  ),
  backlog: example(
    setting(inside, usualBacklog, 'The backlog file, from the root of the repository.', 'backlog'),
    'docs/to-do.json',
  ),
}
