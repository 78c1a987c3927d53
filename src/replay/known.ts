/**
 * What a replay has told already: a decision that differs is told once, and what follows from it is not told at all.
 */
import type { Event, Fact } from '../model/event.ts'
import { subjectOf } from './input.ts'
import { textOf } from './same.ts'

export interface Known {
  /** Today's code would do this and the record does not, or not yet. */
  tell(fact: Fact): void
  /** The roads of the record and of today's code part for whom this is about. */
  part(fact: Fact): void
  /** Nothing is to be learned from this any more. */
  has(fact: Fact): boolean
  /** The record goes on with this event: those it is a fresh start for can be compared again. */
  note(event: Event): void
}

export function createKnown(): Known {
  const told = new Set<string>()
  const parted = new Set<string>()
  const meetAgain = (event: Event): void => {
    switch (event.type) {
      case 'task.started':
      case 'attempt.failed':
      case 'task.finished':
        parted.delete(event.task)
        break
      case 'run.forked':
        parted.clear()
        break
      case 'run.resumed':
      case 'run.paused':
      case 'stage.entered':
      case 'plan.rejected':
        for (const subject of ['run', 'plan', 'gate', 'report', 'limit']) parted.delete(subject)
        break
      default:
    }
  }
  return {
    tell: (fact) => void told.add(textOf(fact)),
    part: (fact) => void parted.add(subjectOf(fact)),
    has: (fact) => parted.has(subjectOf(fact)) || (told.size > 0 && told.has(textOf(fact))),
    note: meetAgain,
  }
}
