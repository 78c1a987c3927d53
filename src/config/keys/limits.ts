/** Keys of limits. */
import { example, group, setting } from '../../schema/field.ts'
import { nullable, number, whole } from '../../schema/spec.ts'

const amount = nullable(number())
const count = nullable(whole())

export const limitKeys = {
  limits: group('Bounds of every loop: 0 means none at all, null no limit.', {
    timeMinutes: example(setting(amount, 120, 'Minutes of running time.', 'time-minutes'), 30),
    costUsd: example(setting(amount, 25, 'Dollars spent on agents.', 'cost-usd'), 5),
    tokens: example(setting(count, null, 'Tokens spent on agents.', 'tokens'), 2_000_000),
    turns: example(setting(count, null, 'Turns of agents.', 'turns'), 100),
    iterations: example(setting(count, 50, 'Iterations of a loop; waves of a plan.', 'iterations'), 25),
    goalIterations: example(setting(count, 5, 'Rounds in which failed tasks are opened again.', 'goal-iterations'), 2),
    fixCycles: example(setting(count, 3, 'Fixes within an attempt.', 'fix-cycles'), 5),
    attempts: example(setting(count, 3, 'Attempts at a task before it is split.', 'attempts'), 2),
    splitDepth: example(setting(count, 3, 'How deep tasks are split.', 'split-depth'), 1),
    planRevisions: example(setting(count, 3, 'Revisions of a plan.', 'plan-revisions'), 1),
    recoveries: example(
      setting(count, 2, 'Recoveries from each kind of trouble before the run stops.', 'recoveries'),
      1,
    ),
    waitMinutes: example(setting(amount, 360, 'Minutes spent waiting for limits to be lifted.', 'wait-minutes'), 60),
    newTasks: example(setting(count, 20, 'Tasks that agents add to a run beside its plan.', 'new-tasks'), 5),
    diskMb: example(setting(amount, 4_096, 'Megabytes that turns write to the disk.', 'disk-mb'), 1_024),
  }),
}
