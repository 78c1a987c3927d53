import { expect, test } from 'vitest'
import { cannotRun } from './cannot-run.ts'

const subjectIn = (text: string, set: string[] = []): string | null => {
  const ended = { exitCode: 1, started: true, timedOut: false, text, command: 'npm test', cwd: '/w' }
  const found = cannotRun({ ...ended, isSet: (name) => set.includes(name) })
  return found?.kind === 'variable' ? found.subject : null
}

const python = `Traceback (most recent call last):
  File "/w/app.py", line 3, in <module>
    url = os.environ["DATABASE_URL"]
          ~~~~~~~~~~^^^^^^^^^^^^^^^^
  File "<frozen os>", line 679, in __getitem__
KeyError: 'DATABASE_URL'`

test.each([
  'Error: DATABASE_URL is not set',
  'DATABASE_URL must be set',
  'Error: DATABASE_URL is required',
  'error: the environment variable DATABASE_URL is missing',
  'Error: Missing required environment variable: DATABASE_URL',
  'Missing env var DATABASE_URL',
  'sh: 1: DATABASE_URL: is not set',
  'DATABASE_URL environment variable is not defined',
  'error: Environment variable not found: DATABASE_URL.',
  'django.core.exceptions.ImproperlyConfigured: Set the DATABASE_URL environment variable',
  'sh: 1: DATABASE_URL: parameter not set',
  './check.sh: line 2: DATABASE_URL: unbound variable',
  'config.rb:1:in `fetch\': key not found: "DATABASE_URL" (KeyError)',
  python,
  `E   KeyError: 'DATABASE_URL'\n<frozen os>:679: KeyError`,
])('%s: the variable is missing', (text) => {
  expect(subjectIn(text)).toBe('DATABASE_URL')
  expect(subjectIn(text, ['DATABASE_URL'])).toBe(null)
})

test.each([
  ['a key of a table of the project', `Traceback\n  File "/w/a.py", line 1\nKeyError: 'DATABASE_URL'`],
  ['a failed assertion', 'AssertionError: expected DATABASE_URL is not set to be x\nDATABASE_URL is not set'],
  ['a word that is no name of a variable', 'Error: URL is required'],
  ['a field of a form', 'Error: name is required'],
])('%s is no missing variable', (_, text) => expect(subjectIn(text)).toBe(null))
