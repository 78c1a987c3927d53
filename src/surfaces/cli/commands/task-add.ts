/** `looper task add`: one more task for a run. */
import { LooperError } from '../../../model/error.ts'
import { plain } from '../../../views/plain-text.ts'
import { orderOption, type CommandSpec } from '../command.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options {
  description?: string
  after?: string[]
  criterion?: string[]
  priority?: string
  run?: string
}

export const command: CommandSpec<Options> = {
  configure: (command) => void command
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
  async run({ app, out }, [title = ''], { description = '', after = [], criterion = [], priority, run = null }) {
    if (title.trim() === '') throw new LooperError('USAGE_ARGUMENTS', 'the title is empty')
    const task = {
      title: title.trim(), description, dependsOn: after.flatMap((ids) => ids.split(',').filter(Boolean)), criteria: criterion,
      priority: priority === undefined ? null : wholeNumber('--priority', priority),
    }
    const told = await app.tell(run, { do: 'add', task })
    const what = told.live ? 'task added: it joins the plan' : `${told.added ?? 'task'} added; \`looper resume\` goes on`
    out.write(`${plain(`${told.run}: ${what}`)}\n`)
    return 0
  },
}
