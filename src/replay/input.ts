/** Which events of a journal are inputs, and which were decided. A replay repeats only the decisions. */
import type { Event, Fact } from '../model/event.ts'
import { isFromCommand } from '../model/work-id.ts'
import { notWanted } from '../core/tasks/under-way.ts'

/**
 * What a fact comes from: a command of a person, which may be recorded while no engine runs; an outcome of the world or
 * the start of an engine; or a decision of the core.
 */
type Origin = 'person' | 'world' | 'core'

/** No default: a new event does not compile without its origin. */
function originOf(fact: Fact): Origin {
  switch (fact.type) {
    case 'stop.requested':
    case 'limits.changed':
    case 'rollback.requested':
    case 'rollback.withdrawn':
    case 'run.applied':
    case 'run.discarded':
      return 'person'
    case 'question.answered':
      return fact.by === 'person' ? 'person' : 'core'
    case 'task.added':
      return isFromCommand(fact.origin) ? 'person' : 'core'
    case 'task.reopened':
      return fact.why === 'asked' ? 'person' : 'core'
    case 'task.finished':
      return fact.status === 'cancelled' && fact.by === undefined ? 'person' : 'core'
    case 'run.started':
    case 'run.forked':
    case 'run.resumed':
    case 'work.finished':
    case 'budget.spent':
    case 'clock.jumped':
    case 'outside.changed':
      return 'world'
    case 'work.lost':
      // Only waits are cancelled at once: their `work.lost` is a decision.
      return fact.why === notWanted ? 'core' : 'world'
    case 'attempt.failed':
    case 'attempt.fixing':
    case 'backlog.reviewed':
    case 'baseline.taken':
    case 'branch.audited':
    case 'check.finished':
    case 'check.flaky':
    case 'checkpoint.made':
    case 'decision.recorded':
    case 'finding.raised':
    case 'health.changed':
    case 'iteration.finished':
    case 'loop.finished':
    case 'plan.accepted':
    case 'plan.rejected':
    case 'proof.given':
    case 'question.asked':
    case 'race.decided':
    case 'recovery.begun':
    case 'rolled.back':
    case 'run.ended':
    case 'run.paused':
    case 'source.polled':
    case 'stage.entered':
    case 'task.edited':
    case 'task.started':
    case 'task.undone':
    case 'verdict.given':
    case 'wave.closed':
    case 'work.started':
      return 'core'
  }
}

/** A requested rollback of a paused or ended run is carried out at once, without work. */
const isDoneAtOnce = (events: readonly Event[], at: number): boolean =>
  events[at]?.type === 'rolled.back' && events[at - 1]?.type === 'rollback.requested'

export function isOutside(events: readonly Event[], at: number): boolean {
  const event = events[at]
  return event !== undefined && (originOf(event) !== 'core' || isDoneAtOnce(events, at))
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
    event !== undefined && (originOf(event) === 'person' || isDoneAtOnce(events, next));
    event = events[++next]
  ) {
    aborted ||= event.type === 'stop.requested' && event.how === 'abort'
  }
  const after = events[next]
  if (after === undefined || after.type === 'run.resumed' || after.type === 'run.forked') return true
  // For a run without an engine, the command that aborts it records the end itself.
  return aborted && (after.type === 'run.ended' || (after.type === 'work.lost' && after.why === 'aborted'))
}
