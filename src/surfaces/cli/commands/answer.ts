/** `looper answer`: answers a question of a run. */
import { LooperError } from '../../../api/error.ts'
import type { QuestionState, RunState } from '../../../api/nouns.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { openQuestions, optionsText } from '../../../views/facts/progress.ts'
import { shortRuns } from '../../../views/text/name-run.ts'
import { wrapLines } from '../../../views/text/rows.ts'
import { questionLines } from '../../../views/status/status-text.ts'
import { orderOption, type CommandSpec } from '../command.ts'
import { widthOf, type CliContext } from '../context.ts'
import { order } from '../orders.ts'

export const command: CommandSpec<{ run?: string }> = {
  arguments: [
    ['[question]', 'the id of the question, like Q1 (default: lists the open questions)'],
    ['[text]', 'your answer'],
  ],
  options: [orderOption],
  examples: [
    ['looper answer Q1 "use the existing table"', ''],
    ['looper answer Q1', 'shows the question and its options'],
    ['looper answer', 'lists the open questions'],
  ],
  async run(context, [named, answer], { run = null }) {
    if (named === undefined) return showQuestions(context, run)
    const question = /^q\d+$/.test(named) ? named.toUpperCase() : named
    if (answer?.trim() === '') throw new LooperError('USAGE_ARGUMENTS', 'the answer is empty')
    const { state } = await context.app.readRun(run, 'live')
    const asked = state.questions.find(({ id }) => id === question)
    if (answer === undefined && asked === undefined) throw missing(question, state.run)
    if (answer === undefined) return show(context, state, asked ? [asked] : [])
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

/** Lists what can be answered. */
async function showQuestions(context: CliContext, run: string | null): Promise<number> {
  const { state } = await context.app.readRun(run, 'live')
  return show(context, state, openQuestions(state))
}

function show({ io, out, paint }: CliContext, { run }: RunState, questions: readonly QuestionState[]): number {
  const lines =
    questions.length === 0
      ? [`${plain(run)} has no open questions.`]
      : questions.flatMap((question) => questionLines(question, run, paint))
  out.write(`${wrapLines(shortRuns(lines.join('\n')), widthOf(io))}\n`)
  return 0
}

const isOption = (answer: string, asked: QuestionState | undefined): boolean =>
  asked === undefined || asked.options.length === 0 || asked.options.some((option) => option.trim() === answer.trim())

const missing = (question: string, run: string): LooperError =>
  new LooperError('USAGE_ARGUMENTS', `the answer to ${plain(question, 40)} is missing`, {
    hint: `\`looper status ${run}\` shows the open questions.`,
  })
