/** `looper answer`: answers a question of a run. */
import { LooperError } from '../../../model/error.ts'
import { orderOption, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec<{ run?: string }> = {
  configure: (command) => void command
    .argument('<question>', 'the id of the question, like Q1')
    .argument('<text>', 'your answer')
    .option(...orderOption),
  examples: [
    ['looper answer Q1 "use the existing table"', ''],
    ['looper status', 'shows the open questions'],
  ],
  run(context, [named = '', answer = ''], { run = null }) {
    const question = /^q\d+$/.test(named) ? named.toUpperCase() : named
    if (answer.trim() === '') throw new LooperError('USAGE_ARGUMENTS', 'the answer is empty')
    const texts = { live: `${question} answered`, resting: `${question} answered; \`looper resume\` goes on` }
    return order(context, run, { do: 'answer', question, answer }, texts)
  },
}
