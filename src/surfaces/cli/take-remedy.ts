/**
 * On a terminal, a run that its checks on the base stopped is not left alone: the person chooses a way out, it is
 * written to the configuration of the project, and the run goes on.
 */
import { placeholders, type PauseReason, type Remedy } from '../../api/nouns.ts'
import { plain } from '../../views/text/plain-text.ts'
import { wrap } from '../../views/text/rows.ts'
import { canAsk, discardTypedAhead, prompting, type Ask } from './ask.ts'
import { widthOf, type CliContext } from './context.ts'

/** The question for each part of a setting that the person fills in. */
const questions = [
  { placeholder: placeholders.command, question: 'The command: ' },
  { placeholder: placeholders.value, question: 'The value: ' },
] as const

/** Returns whether the run should be resumed. Without a terminal it should not. */
export async function takeRemedy(context: CliContext, { remedies = [] }: PauseReason): Promise<boolean> {
  if (!canAsk(context) || remedies.length === 0) return false
  await discardTypedAhead(context)
  const width = widthOf(context.io)
  const rows = remedies.map(({ text }, at) => `  ${at + 1}  ${wrap(plain(text, 200), width, 5).join('\n     ')}\n`)
  context.err.write(`\nWhat should Looper do?\n${rows.join('')}  s  Stop here; nothing is lost\n`)
  return prompting(context, 's', async (ask) => {
    const chosen = await choose(remedies, ask)
    return chosen !== null && (await take(context, chosen, ask))
  })
}

/** Null: the person stops here. */
async function choose(remedies: readonly Remedy[], ask: Ask): Promise<Remedy | null> {
  let answer = await ask('> ')
  while (answer !== '' && answer !== 's') {
    const chosen = /^\d+$/.test(answer) ? remedies[Number(answer) - 1] : undefined
    if (chosen !== undefined) return chosen
    answer = await ask(`"${plain(answer, 40)}" is none of these. Type a number from 1 to ${remedies.length}, or s: `)
  }
  return null
}

async function take({ app, err }: CliContext, { set, text }: Remedy, ask: Ask): Promise<boolean> {
  if (!set) return (await ask(`${plain(text, 200)}, then press Enter; s stops here: `)) === ''
  const values = typeof set.value === 'string' ? [set.value] : set.value
  const open = questions.find(({ placeholder }) => values.some((value) => value.includes(placeholder)))
  const answer = open ? await ask(open.question) : ''
  if (open && (answer === '' || answer === 's')) return false
  const filled = open ? values.map((value) => fill(value, open.placeholder, answer)) : values
  const { key } = set
  const { where } = await app.configSet({ key, values: filled.length === 0 ? ['[]'] : filled, file: 'project' })
  err.write(`${key} is now ${plain(filled.length === 0 ? '[]' : filled.join(', '), 200)} in ${where}\n`)
  return true
}

/** A check with more settings than its command is a JSON object. */
const fill = (value: string, placeholder: string, answer: string): string =>
  value === placeholder ? answer : value.replace(JSON.stringify(placeholder), () => JSON.stringify(answer))
