/** Words how strictly to follow a review, for each escalation level. */
import type { Config } from '../model/config.ts'
import type { EscalationLevel } from '../model/verdict.ts'

export const levelWording: Record<EscalationLevel, string> = {
  none: 'A supervisor judged an earlier attempt. See to it that none of these points can be made again.',
  remind: 'A reminder: an earlier attempt was nearly right. Keep its approach, and fix each of these points.',
  correct:
    'A correction: an earlier attempt was wrong in substance. '
    + 'Deal with each of these points: they decide about this one.',
  refocus:
    'Refocus: an earlier attempt missed the task. '
    + 'Set its approach aside, and start again from the task and its criteria.',
  critical:
    'Critical: an earlier attempt had many problems. '
    + 'Go through them one by one, and answer "complete" only when not one is left.',
  abort:
    'Critical: an earlier attempt had so many problems that the run was ended. '
    + 'Go through them one by one before anything else.',
}

/** A rejected plan has a score. Without one, the plan only waited for answers to its questions. */
export function planWording(score: number | null, thresholds: Config['thresholds']): string {
  if (score === null) return 'Why the last answer was not taken as the plan.'
  return score >= thresholds.revise
    ? 'Revise: the plan was nearly good enough. Keep what was not criticized, and deal with each of these points.'
    : 'Rejected: the plan was not good enough to build on. '
        + 'Think it through again from the goal, and deal with each of these points.'
}
