/**
 * The subject of an event: a task, a stage, the time limit, or the run as a whole. A replay reports one difference for
 * each subject.
 */
import type { Fact } from '../model/event.ts'
import { ownerOf } from '../model/work-id.ts'

/** No default: a new event does not compile without its subject. */
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
    case 'backlog.reviewed':
    case 'baseline.taken':
    case 'branch.audited':
    case 'budget.spent':
    case 'check.flaky':
    case 'checkpoint.made':
    case 'clock.jumped':
    case 'health.changed':
    case 'iteration.finished':
    case 'limits.changed':
    case 'loop.finished':
    case 'outside.changed':
    case 'proof.given':
    case 'question.answered':
    case 'race.decided':
    case 'recovery.begun':
    case 'rollback.requested':
    case 'rollback.withdrawn':
    case 'rolled.back':
    case 'run.applied':
    case 'run.discarded':
    case 'run.ended':
    case 'run.forked':
    case 'run.paused':
    case 'run.resumed':
    case 'run.started':
    case 'source.polled':
    case 'stage.entered':
    case 'stop.requested':
    case 'task.edited':
    case 'task.reopened':
    case 'task.undone':
    case 'wave.closed':
      return 'run'
  }
}
