/** `looper task skip`: skips a task; the run continues without it. */
import { orderOption, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec<{ run?: string; reason?: string }> = {
  arguments: [['<task>', 'the id of the task, like T003']],
  options: [['--reason <text>', 'why, for the report'], orderOption],
  examples: [['looper task skip T003 --reason "not needed any more"', '']],
  run(context, [task = ''], { reason = null, run = null }) {
    const done = `${task} is skipped`
    return order(
      context,
      run,
      { do: 'skip', task, reason },
      { live: done, resting: `${done}; \`looper resume\` continues the run` },
    )
  },
}
