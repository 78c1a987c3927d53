/** Keys of the sandbox. */
import { example, setting } from '../../schema/field.ts'
import { choice, names, nullable, text } from '../../schema/spec.ts'

export const sandboxKeys = {
  sandbox: example(
    setting(
      nullable(choice('off', 'os')),
      null,
      'Whether agents, checks and set-up run in a sandbox of the system; null means os where it works.',
      'sandbox',
    ),
    'os',
  ),
  sandboxAllow: example(
    setting(
      names(text),
      [],
      'Paths that they may read and write in the sandbox, besides the workspace; ~ is your home folder.',
      'sandbox-allow',
    ),
    ['~/.npmrc'],
  ),
}
