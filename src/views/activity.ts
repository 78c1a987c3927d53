/** Describes running work in one or two words. */
import { purposes } from '../model/purposes.ts'
import type { RunState } from '../model/state.ts'
import { msBetween } from '../model/time.ts'
import { isDeadline, type Work } from '../model/work.ts'
import { clock, duration } from './format.ts'
import { plain } from './plain-text.ts'

/** With `now`, includes the remaining time of a wait. */
export function activity(work: Work, now: string | null = null): string {
  switch (work.kind) {
    case 'turn':
      return purposes[work.purpose].label
    case 'check':
      return `check ${plain(work.name, 24)}`
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
      return `waiting until ${clock(work.until)}${left}`
    }
    case 'sync':
      return work.claim === null ? 'reading the backlog' : `claiming ${plain(work.claim, 24)}`
    case 'finish':
      return 'finishing'
  }
}

/** The task that the work belongs to; null for work of the plan or the goal. */
export function taskOf(work: Work, state: RunState): string | null {
  if ('task' in work && typeof work.task === 'string') return work.task
  return 'workspace' in work && state.tasks[work.workspace] !== undefined ? work.workspace : null
}

/** One entry per task or stage with running work, in the order in which the work started. */
export function activities(state: RunState, now: string | null = null): string[] {
  const byOwner = new Map<string, string[]>()
  for (const { work } of Object.values(state.works)) {
    if (isDeadline(work)) continue
    const owner = taskOf(work, state) ?? ''
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), activity(work, now)])
  }
  return [...byOwner].map(([owner, what]) => [owner, [...new Set(what)].join(', ')].filter(Boolean).join(' '))
}
