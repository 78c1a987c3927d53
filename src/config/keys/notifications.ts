/** Keys of hooks and notifications. */
import { occasions } from '../../model/config.ts'
import { example, group, setting } from '../../schema/field.ts'
import { boolean, choice, names, nullable, secret } from '../../schema/spec.ts'
import { address, commands, seconds } from './values.ts'

export const notificationKeys = {
  hooks: group('Commands that are called on events.', {
    postIteration: example(setting(commands, [], 'After each iteration.'), ['./notify.sh']),
    onQuestion: example(setting(commands, [], 'When a person is asked.'), ['./notify.sh']),
    onLimit: example(setting(commands, [], 'When a limit stops or delays a run.'), ['./notify.sh']),
    onEnd: example(setting(commands, [], 'When a run ends.'), ['./notify.sh']),
    timeoutSeconds: example(setting(seconds, 30, 'How long a hook may take.'), 10),
  }),
  notify: group('Notifications about a run.', {
    desktop: setting(boolean, false, 'Show desktop notifications.'),
    bell: setting(boolean, false, 'Ring the bell of the terminal.'),
    webhook: example(
      setting(nullable(secret(address)), null, 'An address that receives a POST request; never shown.'),
      'https://example.org/hook',
    ),
    on: example(setting(names(choice(...occasions)), [...occasions], 'The events to notify about.'), [
      'question',
      'end',
    ]),
  }),
}
