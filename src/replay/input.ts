/**
 * Which events of a journal came from outside, and which ones were decided. Only the second kind is decided again in a
 * replay.
 */
import type { Event, Fact } from '../model/event.ts'
import { ownerOf } from '../model/work-id.ts'
import { notWanted } from '../core/under-way.ts'

/** A person's word; it may be noted while nobody runs the run. */
export function isCommand(event: Fact): boolean {
  switch (event.type) {
    case 'stop.requested':
    case 'limits.changed':
    case 'rollback.requested':
    case 'rollback.withdrawn':
    case 'run.applied':
    case 'run.discarded':
      return true
    case 'question.answered':
      return event.by === 'person'
    case 'task.added':
      return ownerOf(event.origin) === 'command'
    case 'task.reopened':
      return event.why === 'asked'
    case 'task.finished':
      return event.status === 'cancelled' && event.by === undefined
    default:
      return false
  }
}

/** The branch of a run that rests goes back as soon as a person says so, and no work is begun for it. */
const isDoneAtOnce = (events: readonly Event[], at: number): boolean =>
  events[at]?.type === 'rolled.back' && events[at - 1]?.type === 'rollback.requested'

export function isOutside(events: readonly Event[], at: number): boolean {
  const event = events[at]
  return event !== undefined && (isInput(event) || isDoneAtOnce(events, at))
}

/**
 * The world's outcomes, a person's word, and an engine that starts. Only a wait is called off on the spot: that is
 * decided.
 */
export function isInput(event: Fact): boolean {
  switch (event.type) {
    case 'run.started':
    case 'run.forked':
    case 'run.resumed':
    case 'work.finished':
    case 'budget.spent':
    case 'clock.jumped':
    case 'outside.changed':
      return true
    case 'work.lost':
      return event.why !== notWanted
    default:
      return isCommand(event)
  }
}

/**
 * Whether the journal may break off before this event in the middle of a step: it ends there, somebody forked it there,
 * or an engine died and the next one, after whatever people said meanwhile, took over.
 */
export function mayBreakOff(events: readonly Event[], at: number): boolean {
  let next = at
  let aborted = false
  for (
    let event = events[next];
    event !== undefined && (isCommand(event) || isDoneAtOnce(events, next));
    event = events[++next]
  ) {
    aborted ||= event.type === 'stop.requested' && event.how === 'abort'
  }
  const after = events[next]
  if (after === undefined || after.type === 'run.resumed' || after.type === 'run.forked') return true
  // A dead run is aborted by whoever asks for it.
  return aborted && (after.type === 'run.ended' || (after.type === 'work.lost' && after.why === 'aborted'))
}

/** Whom a decision is about: a task, a stage, the time limit, or the run as a whole. */
export function subjectOf(fact: Fact): string {
  switch (fact.type) {
    case 'work.started':
      return ownerOf(fact.work.id)
    case 'work.lost':
    case 'work.finished':
      return ownerOf(fact.id)
    case 'task.started':
    case 'task.finished':
    case 'attempt.fixing':
    case 'attempt.failed':
      return fact.task
    case 'task.added':
    case 'finding.raised':
      return ownerOf(fact.origin)
    case 'decision.recorded':
      return ownerOf(fact.decision.origin)
    case 'question.asked':
      return ownerOf(fact.question.origin)
    case 'check.finished':
      return fact.task ?? 'gate'
    case 'verdict.given':
      return fact.subject.kind === 'task' ? fact.subject.task : fact.subject.kind === 'goal' ? 'gate' : 'plan'
    case 'plan.accepted':
    case 'plan.rejected':
      return 'plan'
    default:
      return 'run'
  }
}
