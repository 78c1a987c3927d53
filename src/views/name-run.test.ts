import { expect, test } from 'vitest'
import { nameRun } from './name-run.ts'

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
