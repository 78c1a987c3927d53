/** Keys of checks, and of what counts as proof. */
import { baselinePolicies, checkTimeoutMinutes } from '../../model/config.ts'
import { example, optional, required, setting } from '../../schema/field.ts'
import { boolean, choice, list, names, nullable, object, shorthand, text, whole } from '../../schema/spec.ts'
import { label, minutes, variable, variables } from './values.ts'

const check = object({
  name: example(required(label, 'The name shown in reports.'), 'test'),
  run: example(required(text, 'A shell line; exit code 0 is a pass.'), 'npm test'),
  timeoutMinutes: example(optional(minutes, `How long the check may take; ${checkTimeoutMinutes} when absent.`), 10),
  when: optional(
    choice('task', 'wave'),
    'For each task, or on all that has landed when a wave closes; task when absent.',
  ),
  paths: example(
    optional(
      names(text),
      'Globs: a task runs the check only when it changes a matching file, or one that no check names; audits and the '
        + 'gate always run it.',
    ),
    ['packages/api'],
  ),
  hidden: example(optional(boolean, 'Held out: agents never see it.'), true),
  env: example(optional(variables, 'Variables for the check; never shown.'), { TEST_MODE: 'fast' }),
  pass: example(optional(names(variable), 'Names of your variables that the check sees besides the usual ones.'), [
    'DATABASE_URL',
  ]),
})

export const checkList = list(shorthand(check))

export const checkKeys = {
  checks: example(
    setting(nullable(checkList), null, 'What proves the work; null means discovered, [] switched off.', 'check'),
    ['npm test'],
    [{ name: 'lint', run: 'npm run lint', timeoutMinutes: 5 }],
  ),
  checkReruns: example(
    setting(
      whole({ max: 10 }),
      2,
      'How often a red check is run again on the same tree; one that passes then is flaky.',
      'check-reruns',
    ),
    0,
  ),
  baseline: setting(
    choice(...baselinePolicies),
    'pause',
    'What follows when a check fails before the first task: pause when no check can prove anything, go on when tasks '
      + 'make it no worse, fix it first, or off: the checks are not run then.',
    'baseline',
  ),
  guard: setting(
    choice('block', 'warn', 'off'),
    'block',
    'What happens when an agent deletes, skips or weakens tests, or makes checks easier to pass.',
    'guard',
  ),
  proof: setting(
    boolean,
    true,
    'Whether new tests are run without the change as well: only if they fail there do they prove it.',
    'proof',
  ),
}
