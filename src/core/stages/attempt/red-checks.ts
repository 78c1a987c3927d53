/** The failure that red checks result in: what the next agent and people read about it. */
import { causeOf } from '../../../model/cannot-run.ts'
import type { CheckRecord, Failure } from '../../../model/event.ts'

/** The output of a held-out check would reveal to the agent what it checks. */
const heldOut =
  'A held-out check failed. Its name and its output are not shown. '
  + 'Read the criteria again, and find out what else your change affects.'

const excuses: Record<NonNullable<CheckRecord['excuse']>, string> = {
  flaky: 'flaky',
  'same-as-base': 'as before',
  'no-worse': 'no worse than before',
}

/**
 * The text omits the output of the check and does not ask to repair it: the next attempt must do the work, not change
 * the check.
 */
export function unproven(red: readonly CheckRecord[]): Failure {
  const names = red.filter(({ hidden }) => hidden !== true).map(({ check }) => check)
  const who = [...names, ...(red.length > names.length ? ['a held-out check'] : [])].join(', ')
  const isOne = red.length === 1
  return {
    kind: 'check',
    error: null,
    summary: `no check proves the work: ${who} still ${isOne ? 'fails and is' : 'fail and are'} flaky`,
    detail: isOne
      ? 'This check has passed and failed on the same tree, so its failure says nothing about the work. '
        + 'Do not change it.'
      : 'These checks have passed and failed on the same tree, so their failures say nothing about the work. '
        + 'Do not change them.',
    fingerprint: `unproven:${who}`,
  }
}

function causeIn(red: readonly CheckRecord[]): Pick<Failure, 'cause'> {
  const cannotRun = red.find((record) => record.cannotRun)?.cannotRun
  return cannotRun ? { cause: causeOf(cannotRun) } : {}
}

export function failureOf(red: readonly CheckRecord[]): Failure {
  const outcome = ({ exitCode, note, excuse }: CheckRecord): string => {
    const end = note ?? (exitCode === null ? 'ended by a signal' : `exit ${exitCode}`)
    return excuse ? `${end}, ${excuses[excuse]}; no other check proves the work` : end
  }
  const where = red[0]?.merged ? ' after the merge' : ''
  const shown = red.filter(({ hidden }) => hidden !== true)
  const held = red.length > shown.length
  return {
    kind: 'check',
    error: null,
    summary:
      [
        ...shown.map((entry) => `${entry.check} failed (${outcome(entry)})`),
        ...(held ? ['a held-out check failed'] : []),
      ].join(', ') + where,
    detail: [
      ...shown.map((entry) => `$ ${entry.check} — ${outcome(entry)}\n${entry.tail}`),
      ...(held ? [heldOut] : []),
    ].join('\n\n'),
    fingerprint: red.map(({ fingerprint }) => fingerprint).join('+'),
    ...causeIn(red),
  }
}
