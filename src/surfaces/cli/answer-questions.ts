/**
 * On a terminal, a run that pauses for answers is not left alone: the person types them, they are recorded, and the run
 * goes on.
 */
import type { QuestionState, RunState } from '../../api/nouns.ts'
import { openQuestions, optionsText } from '../../views/facts/progress.ts'
import { plain } from '../../views/text/plain-text.ts'
import { canAsk, discardTypedAhead, isCi, prompting } from './ask.ts'
import type { CliContext } from './context.ts'

/** Returns whether the run should be resumed: all questions are answered. An empty answer leaves the rest open. */
export async function answerQuestions(context: CliContext, state: RunState): Promise<boolean> {
  const open = openQuestions(state)
  if (!canAsk(context) || isCi(context) || open.length === 0) return false
  await discardTypedAhead(context)
  return prompting(context, '', async (ask) => {
    for (const question of open) {
      const answer = await ask(questionText(question))
      if (answer === '') return false
      await context.app.sendOrder(state.run, { do: 'answer', question: question.id, answer })
    }
    return true
  })
}

const questionText = ({ id, text, options }: QuestionState): string =>
  `\n? ${id} ${plain(text, 400)}${optionsText(options)}\nYour answer to ${id}, or Enter to answer later: `
