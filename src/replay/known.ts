/** What a replay has already reported: a differing decision is reported once, and its consequences are not reported. */
import type { Event, Fact } from '../model/event.ts'
import { subjectOf } from './subject.ts'
import { textOf } from './same.ts'

export interface Known {
  /** Records a fact that today's code decides and that the journal does not have, or not yet. */
  record(fact: Fact): void
  /** Marks the subject of the fact as diverged: its recorded and replayed decisions cannot be compared any more. */
  part(fact: Fact): void
  /** Whether the fact need not be compared: it was reported, or its subject has diverged. */
  has(fact: Fact): boolean
  /** Called for each recorded event: subjects that start afresh with it can be compared again. */
  observe(event: Event): void
}

export function createKnown(): Known {
  const reported = new Set<string>()
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
    record: (fact) => void reported.add(textOf(fact)),
    part: (fact) => void parted.add(subjectOf(fact)),
    has: (fact) => parted.has(subjectOf(fact)) || (reported.size > 0 && reported.has(textOf(fact))),
    observe: meetAgain,
  }
}
