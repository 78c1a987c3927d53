/** Which events of a journal are inputs, and which were decided. A replay repeats only the decisions. */
import type { Event, Fact } from '../model/event.ts'
import { isFromCommand, ownerOf } from '../model/work-id.ts'
import { notWanted } from '../core/tasks/under-way.ts'

/** A person's command. It may be recorded while no engine runs. */
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
      return isFromCommand(event.origin)
    case 'task.reopened':
      return event.why === 'asked'
    case 'task.finished':
      return event.status === 'cancelled' && event.by === undefined
    default:
      return false
  }
}

/** A requested rollback of a paused or ended run is carried out at once, without work. */
const isDoneAtOnce = (events: readonly Event[], at: number): boolean =>
  events[at]?.type === 'rolled.back' && events[at - 1]?.type === 'rollback.requested'

export function isOutside(events: readonly Event[], at: number): boolean {
  const event = events[at]
  return event !== undefined && (isInput(event) || isDoneAtOnce(events, at))
}

/**
 * Outcomes of the world, commands of a person, and the start of an engine. Only waits are cancelled at once: their
 * `work.lost` is a decision.
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
 * Whether the journal may stop before this event in the middle of a step: it ends there, it was forked there, or an
 * engine died and, after commands of people, the next one took over.
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
  // For a run without an engine, the command that aborts it records the end itself.
  return aborted && (after.type === 'run.ended' || (after.type === 'work.lost' && after.why === 'aborted'))
}

/** The subject of a decision: a task, a stage, the time limit, or the run as a whole. */
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
