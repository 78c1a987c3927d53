import { expect, test } from 'vitest'
import { nameRun, shortRuns } from './name-run.ts'

const cases: [hint: string, named: string][] = [
  ['Fix it, then: looper resume', 'Fix it, then: looper resume 002-b'],
  ['Raise it: looper resume --turns <more>', 'Raise it: looper resume 002-b --turns <more>'],
  ['Free some space, then `looper resume`.', 'Free some space, then `looper resume 002-b`.'],
  ['`looper resume 001-a` goes on', '`looper resume 001-a` goes on'],
  [
    '`looper status` shows it; `looper stop` stops it.',
    '`looper status 002-b` shows it; `looper stop 002-b` stops it.',
  ],
  ['looper answer Q1 "<answer>" && looper resume', 'looper answer Q1 "<answer>" --run 002-b && looper resume 002-b'],
  ['looper answer Q1 "…" --run 001-a', 'looper answer Q1 "…" --run 001-a'],
  ['looper run "resume it"', 'looper run "resume it"'],
]

test.each(cases)('%s', (hint, named) => expect(nameRun(hint, '002-b')).toBe(named))

test.each([
  ['looper resume 014-add-auth --cost-usd 5', 'looper resume 14 --cost-usd 5'],
  ['`looper answer Q1 "x" --run 007-rate-limit-api`', '`looper answer Q1 "x" --run 7`'],
  ['looper branch 014-add-auth, looper pr 014-add-auth', 'looper branch 14, looper pr 14'],
  ['looper apply 1000-x; looper discard 1000-x', 'looper apply 1000; looper discard 1000'],
  ['the branch looper/014-add-auth stays', 'the branch looper/014-add-auth stays'],
  ['looper resume 14', 'looper resume 14'],
  ['014-add-auth is paused', '014-add-auth is paused'],
])('commands name a run by its number: %s', (text, short) => expect(shortRuns(text)).toBe(short))
