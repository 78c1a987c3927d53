import { expect, test } from 'vitest'
import type { Ending } from './adapter.ts'
import { judgeExit } from './exit.ts'

test.each<[Partial<Ending>, string, string, string]>([
  [{ code: 3, stderr: 'boom\n' }, 'words', 'crash', 'the agent exited with code 3: boom'],
  [{ code: 3 }, 'last words', 'crash', 'the agent exited with code 3: last words'],
  [{ code: 0 }, '', 'crash', 'the agent exited with code 0 before the turn was over'],
  [{}, '', 'crash', 'the agent ended without an answer'],
  [{ signal: 'SIGKILL' }, '', 'crash', 'the agent was ended by SIGKILL'],
  [{ signal: 'SIGTERM' }, '', 'interrupted', 'the agent was interrupted by SIGTERM'],
  [{ code: 143 }, '', 'interrupted', 'the agent was interrupted by SIGTERM'],
  [{ code: 130 }, '', 'interrupted', 'the agent was interrupted by SIGINT'],
  [{ code: 137 }, '', 'crash', 'the agent exited with code 137'],
])('%o %s', (ending, words, kind, message) => {
  const whole = { code: null, signal: null, file: null, stderr: '', extra: null, ...ending }
  expect(judgeExit(whole, words)).toEqual({ kind, message, resetsAt: null })
})
