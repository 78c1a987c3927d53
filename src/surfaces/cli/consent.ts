/** Asks before a run: whether agents may do what they are about to do, and whether a backlog is to be invented. */
import { LooperError } from '../../api/error.ts'
import type { PreparedRun } from '../../api/runs.ts'
import { writesText } from '../../views/status/card.ts'
import { consentText } from '../../views/status/consent.ts'
import { wrapLines } from '../../views/text/rows.ts'
import { ask, canAsk, isCi } from './ask.ts'
import { widthOf, type CliContext } from './context.ts'

/**
 * `agreed`: yes, and the user has read what agents may do. `edited`: the user has changed the configuration, so the run
 * must be prepared again.
 */
export type Answer = 'yes' | 'agreed' | 'no' | 'edited'

/** Without a terminal and in CI, nothing is asked; but without both, a backlog is not invented. */
export async function askConsent(context: CliContext, prepared: PreparedRun): Promise<Answer> {
  const { consent = null, card } = prepared
  const isInvented = card.writes?.from === 'repository'
  if ((consent === null && !isInvented) || isCi(context)) return 'yes'
  if (!canAsk(context)) return isInvented ? refuse(card) : 'yes'
  // The user must not agree to a run that cannot start.
  await prepared.confirmLogins?.()
  const { err, io, paint } = context
  if (consent !== null) err.write(consentText(card, consent.added, paint, widthOf(io)))
  if (isInvented) err.write(`${wrapLines(`${writesText(card)}.`, widthOf(io))}\n`)
  const answer = await answerOf(context)
  if (answer === 'edited') await editConfiguration(context)
  if (answer !== 'yes' || consent === null) return answer
  await consent.agree()
  return 'agreed'
}

function refuse(card: PreparedRun['card']): never {
  throw new LooperError('USAGE_ARGUMENTS', `${writesText(card)}. This needs confirmation, and there is no terminal`, {
    hint: 'Add --yes to confirm, or give a goal: looper run --workflow backlog "…"',
  })
}

/** Any other answer, and the end of the input, mean no. */
async function answerOf(context: CliContext): Promise<Answer> {
  const word = (await ask(context, 'Start the run? [y]es, [n]o, [e]dit the configuration: ')).toLowerCase()
  if (/^y(?:es)?$/.test(word)) return 'yes'
  if (/^e(?:dit)?$/.test(word)) return 'edited'
  return 'no'
}

/** Opens the configuration of the project, which is written first if it does not exist. */
async function editConfiguration({ app, host }: CliContext): Promise<void> {
  const file = (await app.configPath()).find(({ name }) => name === 'project')
  const path = file?.exists === true ? file.path : (await app.init()).path
  await host.edit(path)
}
