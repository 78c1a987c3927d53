/** Live lines about the run as a whole: its pauses, its end, its health and its rollbacks. */
import type { Event } from '../../model/event.ts'
import { rollbackName } from '../../model/rollback-name.ts'
import type { RunState } from '../../model/state.ts'
import { duration, plural, spent } from '../text/format.ts'
import { withErrorWords } from '../facts/error-words.ts'
import { nameRun } from '../text/name-run.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { withAmounts } from '../facts/raise-limit.ts'
import { outputLines } from '../facts/pause-output.ts'
import { elapsedMs, facts, isUnverified, passesText, tally } from '../facts/progress.ts'

export function healthLine({ health, evidence }: Event<'health.changed'>, paint: Paint): string {
  if (health === 'PROGRESSING') return `${paint.good('●')} ${facts(health, 'the run makes progress again')}`
  const dot = health === 'BLOCKED' ? paint.warn('●') : paint.bad('●')
  return `${dot} ${facts(health, evidence !== null && plain(evidence, 200))}`
}

export function rolledBackLine(
  { to, checkpoint, tasks, kept, antiPattern }: Event<'rolled.back'>,
  state: RunState,
  paint: Paint,
): string {
  return `${paint.warn('↩')} ${facts(
    `rolled back to ${rollbackName({ to, checkpoint }, state)}`,
    tasks.length > 0 && `${tasks.join(', ')} to be done again`,
    plain(antiPattern.evidence || antiPattern.why, 140),
    kept !== null && `the old branch is kept as ${plain(kept, 120)}`,
  )}`
}

export function pausedLine({ reason }: Event<'run.paused'>, state: RunState, paint: Paint): string {
  const hint = reason.hint === '' ? '' : `\n  ${plain(nameRun(withAmounts(reason.hint, state), state.run), 300)}`
  const output = outputLines(reason).map((line) => `\n    ${paint.faint(line)}`)
  return `${paint.warn('⏸')} paused: ${plain(reason.detail, 300)}${output.join('')}${hint}`
}

export function endedLine({ status, reason }: Event<'run.ended'>, state: RunState, paint: Paint): string {
  const { done, total } = tally(state)
  const unverified = status === 'completed' && isUnverified({ ...state, status, pause: null })
  const mark = unverified ? paint.warn('!') : status === 'completed' ? paint.good('✓') : paint.bad('✗')
  const tasks = facts(
    (state.loop === null || total > 0) && `${done} of ${plural(total, 'task')} done`,
    passesText(state),
  )
  const why = reason === null ? '' : `: ${plain(withErrorWords(reason), 200)}`
  const numbers = facts(tasks, plural(state.turns, 'turn'), duration(elapsedMs(state)), spent(state.usage))
  return `${mark} ${facts(`${status}${why}`, unverified && 'unverified')}\n  ${numbers}`
}
