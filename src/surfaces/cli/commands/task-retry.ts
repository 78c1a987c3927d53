/** `looper task retry`: retries a failed task. */
import { orderOption, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec<{ run?: string }> = {
  arguments: [['<task>', 'the id of the task, like T003']],
  options: [orderOption],
  examples: [
    ['looper task retry T003', ''],
    ['looper ls', 'shows the tasks'],
  ],
  run(context, [task = ''], { run = null }) {
    const done = `${task} is open again`
    return order(
      context,
      run,
      { do: 'retry', task },
      { live: done, resting: `${done}; \`looper resume\` continues the run` },
    )
  },
}
