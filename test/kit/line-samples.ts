/** A run whose events become lines. */
import type { Fact } from '../../src/model/event.ts'
import { lineFor } from '../../src/views/live/lines.ts'
import { sampleAttempt, sampleEvent, sampleState, sampleTask } from './state.ts'

export const esc = '\u001B[31m'
export const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0.12 }
export const state = sampleState({
  tasks: [
    sampleTask({
      id: 'T002',
      title: `Add${esc}\nparser`,
      status: 'doing',
      attempt: sampleAttempt(),
      attemptsLeft: 2,
      startedAt: '2026-02-28T10:04:19.000Z',
      tookMs: 41_000,
      usage,
    }),
  ],
})
export const shown = (fact: Fact, at = state): string | null => lineFor(sampleEvent(fact), at)
export const evidence = [
  { check: 'test', exitCode: 0, tree: null, durationMs: 1 },
  { check: 'lint', exitCode: 0, tree: null, durationMs: 1 },
]
