/** `looper answer`: answers a question of a run. */
import { LooperError } from '../../../api/error.ts'
import type { QuestionState } from '../../../api/nouns.ts'
import { plain } from '../../../views/plain-text.ts'
import { optionsText } from '../../../views/progress.ts'
import { orderOption, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec<{ run?: string }> = {
  arguments: [
    ['<question>', 'the id of the question, like Q1'],
    ['[text]', 'your answer'],
  ],
  options: [orderOption],
  examples: [
    ['looper answer Q1 "use the existing table"', ''],
    ['looper answer Q1', 'shows the question and its options'],
    ['looper status', 'shows the open questions'],
  ],
  async run(context, [named = '', answer], { run = null }) {
    const question = /^q\d+$/.test(named) ? named.toUpperCase() : named
    if (answer?.trim() === '') throw new LooperError('USAGE_ARGUMENTS', 'the answer is empty')
    const { state } = await context.app.readRun(run, 'live')
    const asked = state.questions.find(({ id }) => id === question)
    if (answer === undefined) throw missing(question, asked, state.run)
    const but = isOption(answer, asked)
      ? ''
      : `, although it is none of the options${optionsText(asked?.options ?? [])}`
    const done = `${question} answered${but}`
    return order(
      context,
      run,
      { do: 'answer', question, answer },
      { live: done, resting: `${done}; \`looper resume\` continues the run` },
    )
  },
}

const isOption = (answer: string, asked: QuestionState | undefined): boolean =>
  asked === undefined || asked.options.length === 0 || asked.options.some((option) => option.trim() === answer.trim())

function missing(question: string, asked: QuestionState | undefined, run: string): LooperError {
  const what = asked === undefined ? '' : `: ${plain(asked.text, 300)}${optionsText(asked.options)}`
  return new LooperError('USAGE_ARGUMENTS', `the answer to ${plain(question, 40)} is missing${what}`, {
    hint:
      asked === undefined
        ? `\`looper status ${run}\` shows the open questions.`
        : `Answer it: looper answer ${asked.id} "…" --run ${run}`,
  })
}
