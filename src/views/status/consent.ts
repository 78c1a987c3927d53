/** What a person agrees to before the first run in a repository: what agents may do, at which cost, proved by what. */
import type { Limits } from '../../model/config.ts'
import { facts } from '../facts/progress.ts'
import { duration, money, plural } from '../text/format.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { namedRows, wrap, type Width } from '../text/rows.ts'
import { checksText, rightsText, type CardInput } from './card.ts'

/** `added`: the rights that are new since the person agreed; empty the first time. */
export function consentText(input: CardInput, added: readonly string[], paint: Paint, width: Width): string {
  const { agent, roles, reserve = [], checks, mode, branch, limits } = input
  const names = [...new Set([agent.name, ...roles.map((role) => role.agent), ...reserve])].map((name) =>
    plain(name, 40),
  )
  const verbs = names.length === 1 ? 'changes files and runs' : 'change files and run'
  const rows: [string, string][] = [
    ['new', paint.warn(added.map((right) => plain(right, 300)).join('; '))],
    ['agents', `${names.join(', ')} ${verbs} commands without asking you`],
    ['rights', rightsText(input)],
    ['cost', costText(limits, paint)],
    ['proof', `${checksText(input, paint)}${checks.list.length === 0 ? '' : ' · must pass before a change lands'}`],
    [
      'result',
      mode === 'in-place'
        ? `in your checkout, on ${plain(branch, 80)}`
        : `on the branch ${plain(branch, 80)}; your own branch and files stay as they are until you apply it`,
    ],
  ]
  const title =
    added.length === 0
      ? 'Looper asks once in this repository. This is what a run may do:'
      : 'This run may do more than you agreed to in this repository:'
  return `${[...wrap(title, width, 0), '', ...namedRows(rows, paint, width), ''].join('\n')}\n`
}

function costText({ costUsd, timeMinutes, tokens, turns }: Limits, paint: Paint): string {
  const most = facts(
    costUsd !== null && money(costUsd),
    tokens !== null && `${tokens} tokens`,
    timeMinutes !== null && duration(timeMinutes * 60_000),
    turns !== null && plural(turns, 'turn'),
  )
  const open = costUsd === null && tokens === null && paint.warn('no cost limit')
  return facts(most !== '' && `at most ${most}`, open)
}
