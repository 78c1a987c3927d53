/** Tasks and an end of a run that the tests of the report share. */
import { sampleFailure, sampleTask, sampleVerdict } from './state.ts'

export const green = [{ check: 'test', exitCode: 0, tree: null, durationMs: 1_200 }]
export const times = { startedAt: '2026-03-01T10:01:00.000Z', endedAt: '2026-03-01T23:59:41.000Z', tookMs: 41_000 }
export const done = sampleTask({
  id: 'T001',
  title: 'Add the parser',
  status: 'done',
  attempts: 2,
  fixCycles: 1,
  ...times,
  evidence: green,
  verdict: sampleVerdict(),
  criteria: ['`npm test` passes', 'Errors name the line', 'npm test passes in under a second'],
  commit: 'abcdef1234567890',
  failures: [sampleFailure({ kind: 'verdict', summary: 'the supervisor rejected it (score 45, correct): no tests' })],
  usage: { inputTokens: 5, outputTokens: 5, costUsd: 0.12 },
})
export const unverified = sampleTask({
  id: 'T002',
  title: 'Documentation',
  status: 'done',
  attempts: 1,
  ...times,
  criteria: ['README tells it'],
})
export const hostileTitle = '</p>\n# OWNED\n```\n| a |\n![x](http://evil)\u001B[2J'
export const failed = sampleTask({
  id: 'T003',
  title: hostileTitle,
  status: 'failed',
  attempts: 3,
  ...times,
  criteria: [hostileTitle],
  reason: hostileTitle,
  failures: [sampleFailure({ detail: '```\n# not a heading\n```' })],
})
export const ended = {
  stage: 'report',
  conclusion: { status: 'completed', reason: null },
  activeSince: null,
  elapsedMs: 300_000,
  endedAt: '2026-03-01T10:05:00.000Z',
} as const
export const tasks = [done, unverified, failed]
