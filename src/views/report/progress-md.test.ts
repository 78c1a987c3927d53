import { expect, test } from 'vitest'
import { tasks } from '../../../test/kit/report-samples.ts'
import { sampleState } from '../../../test/kit/state.ts'
import { progressMd } from './progress-md.ts'

test('progress.md', () => {
  const pause = { kind: 'user', detail: 'asked', hint: '' } as const
  expect(progressMd(sampleState({ tasks, status: 'paused', reason: 'asked', pause }))).toMatchInlineSnapshot(`
    "Status: paused · 2/3 done · 1 failed

    # Progress: Add authentication

    - Why: asked
    - Stage: execute, wave 1
    - Tasks: 2 done, 1 failed
    - Running time: 5m 00s, started 2026-03-01 10:00 UTC, as of 2026-03-01 10:05 UTC
    - Turns: 4
    - Cost: $0.42 · 12.0k tokens in, 3.0k out
    "
  `)
})
