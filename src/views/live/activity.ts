/** Describes running work in one or two words. */
import { purposes } from '../../model/purposes.ts'
import type { RunState } from '../../model/state.ts'
import { msBetween } from '../../model/time.ts'
import { isDeadline, type Work } from '../../model/work.ts'
import { clock, duration, utc, type Zone } from '../text/format.ts'
import { checkReason } from '../facts/check-reason.ts'
import { plain } from '../text/plain-text.ts'

/** With `now`, includes the remaining time of a wait. */
export function activity(work: Work, now: string | null = null, zone: Zone = utc): string {
  switch (work.kind) {
    case 'turn':
      return purposes[work.purpose].label
    case 'check':
      return `check ${plain(work.name, 24)}${becauseOf(work.id)}`
    case 'prepare':
      return 'setting up'
    case 'inspect':
      return 'inspecting changes'
    case 'integrate':
      return work.step.kind === 'revert' ? 'reverting a change' : 'merging'
    case 'overlay':
      return 'putting new tests on the old code'
    case 'checkpoint':
      return 'keeping a checkpoint'
    case 'rollback':
      return 'rolling back'
    case 'wait': {
      const left = now === null ? '' : ` (${duration(Math.max(0, msBetween(now, work.until)))} left)`
      return `waiting until ${clock(work.until, zone)}${left}`
    }
    case 'sync':
      return work.claim === null ? 'reading the backlog' : `claiming ${plain(work.claim, 24)}`
    case 'finish':
      return 'finishing'
  }
}

/** " (base)" */
function becauseOf(id: string): string {
  const reason = checkReason(id)
  return reason === '' ? '' : ` (${reason})`
}

/** The task that the work belongs to; null for work of the plan or the goal. */
export function taskOf(work: Work, state: RunState): string | null {
  if ('task' in work && typeof work.task === 'string') return work.task
  return 'workspace' in work && state.tasks[work.workspace] !== undefined ? work.workspace : null
}

/** One entry per task or stage with running work, in the order in which the work started. */
export function activities(state: RunState, now: string | null = null, zone: Zone = utc): string[] {
  const byOwner = new Map<string, string[]>()
  for (const { work } of Object.values(state.works)) {
    if (isDeadline(work)) continue
    const owner = taskOf(work, state) ?? ''
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), activity(work, now, zone)])
  }
  return [...byOwner].map(([owner, what]) => [owner, [...new Set(what)].join(', ')].filter(Boolean).join(' '))
}
