/** Keys of policies: what follows from scores, failures, quotas and a closed terminal. */
import { mostAtOnce } from '../../model/config.ts'
import { taskComplexities } from '../../model/vocabulary.ts'
import { example, group, setting } from '../../schema/field.ts'
import { boolean, choice, number, per, whole } from '../../schema/spec.ts'

export const policyKeys = {
  race: example(
    setting(
      per([...taskComplexities, 'retry'], whole({ min: 1, max: mostAtOnce }), (name) =>
        name === 'retry' ? 'Attempts side by side after one has failed.' : `Attempts at a ${name} task side by side.`,
      ),
      { complex: 1 },
      'Attempts made side by side, per complexity and after a failure; the best one lands.',
    ),
    { complex: 2, retry: 2 },
  ),
  thresholds: group('Scores that decide.', {
    approve: example(setting(number({ max: 100 }), 70, 'The lowest score at which work is approved.'), 80),
    revise: example(
      setting(number({ max: 100 }), 50, 'The lowest score at which a plan is revised rather than rejected.'),
      40,
    ),
    failedTasksAbort: example(
      setting(number({ max: 1 }), 0.5, 'The run fails when more than this share of its tasks did.'),
      0.25,
    ),
  }),
  review: setting(boolean, true, 'Whether agents review; when false, checks alone decide.', 'review'),
  sessions: setting(
    choice('fresh', 'resume'),
    'fresh',
    'Whether the fixes of an attempt resume the session of the agent.',
    'sessions',
  ),
  onUsageLimit: setting(
    choice('wait', 'fallback', 'pause'),
    'wait',
    'What happens when an agent is out of quota; with fallbacks configured, they are used unless this says otherwise.',
    'on-usage-limit',
  ),
  onPlanRejected: setting(
    choice('skip_and_continue', 'lower_threshold', 'abort'),
    'skip_and_continue',
    'What happens when the last revision of a plan is rejected.',
    'on-plan-rejected',
  ),
  onHangup: setting(
    choice('detach', 'stop'),
    'detach',
    'What a closed terminal means: the run continues in the background, or it stops and pauses.',
    'on-hangup',
  ),
  activity: setting(
    boolean,
    false,
    'Whether a terminal shows the last tool call of each agent; --activity does so for one command.',
  ),
}
