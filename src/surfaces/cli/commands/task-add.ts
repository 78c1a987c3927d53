/** `looper task add`: adds a task to a run. */
import { LooperError } from '../../../api/error.ts'
import { permissionNoun } from '../../../api/nouns.ts'
import { orderOption, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options {
  description?: string
  after?: string[]
  criterion?: string[]
  priority?: string
  allows?: string[]
  repairs?: string[]
  run?: string
}

export const command: CommandSpec<Options> = {
  arguments: [['<title>', 'the title of the task']],
  options: [
    ['--description <text>', 'a longer description'],
    ['--after <tasks...>', 'tasks that must be done first'],
    ['--criterion <texts...>', 'an acceptance criterion'],
    ['--priority <n>', 'lower runs first'],
    ['--allows <permissions...>', `let the task weaken tests or checks: ${permissionNoun}`],
    ['--repairs <checks...>', 'red checks that the task is to fix'],
    orderOption,
  ],
  examples: [
    ['looper task add "document the --json flag"', ''],
    ['looper task add "bump the version" --after T003 --criterion "npm test passes"', ''],
    ['looper task add "drop the old parser" --allows "remove-tests:test/old/**"', ''],
  ],
  async run(
    context,
    [title = ''],
    { description = '', after = [], criterion = [], priority, allows = [], repairs = [], run = null },
  ) {
    if (title.trim() === '') throw new LooperError('USAGE_ARGUMENTS', 'the title is empty')
    const task = {
      title: title.trim(),
      description,
      dependsOn: after.flatMap((ids) => ids.split(',').filter(Boolean)),
      criteria: criterion,
      priority: priority === undefined ? null : wholeNumber('--priority', priority),
      ...(repairs.length > 0 ? { repairs } : {}),
      ...(allows.length > 0 ? { allows } : {}),
    }
    return order(
      context,
      run,
      { do: 'add', task },
      {
        live: 'task added: it joins the plan',
        resting: ({ added = 'task' }) => `${added} added; \`looper resume\` continues the run`,
      },
    )
  },
}
