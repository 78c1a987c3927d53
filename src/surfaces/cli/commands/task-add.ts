/** `looper task add`: one more task for a run. */
import { LooperError } from '../../../model/error.ts'
import { orderOption, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options {
  description?: string
  after?: string[]
  criterion?: string[]
  priority?: string
  run?: string
}

export const command: CommandSpec<Options> = {
  configure: (command) =>
    void command
      .argument('<title>', 'what is to be done')
      .option('--description <text>', 'more about it')
      .option('--after <tasks...>', 'tasks that have to be done before')
      .option('--criterion <texts...>', 'what has to be true in the end')
      .option('--priority <n>', 'lower is sooner')
      .option(...orderOption),
  examples: [
    ['looper task add "document the --json flag"', ''],
    ['looper task add "bump the version" --after T003 --criterion "npm test passes"', ''],
  ],
  async run(context, [title = ''], { description = '', after = [], criterion = [], priority, run = null }) {
    if (title.trim() === '') throw new LooperError('USAGE_ARGUMENTS', 'the title is empty')
    const task = {
      title: title.trim(),
      description,
      dependsOn: after.flatMap((ids) => ids.split(',').filter(Boolean)),
      criteria: criterion,
      priority: priority === undefined ? null : wholeNumber('--priority', priority),
    }
    return order(
      context,
      run,
      { do: 'add', task },
      {
        live: 'task added: it joins the plan',
        resting: ({ added = 'task' }) => `${added} added; \`looper resume\` goes on`,
      },
    )
  },
}
