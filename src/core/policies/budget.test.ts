import { expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import { isOverspent, turnsAreUp } from './budget.ts'

const usage = (costUsd: number, tokens = 0) => ({ costUsd, inputTokens: tokens, outputTokens: tokens })

test.each([
  [false, { costUsd: 5, tokens: null }, usage(5)],
  [true, { costUsd: 5, tokens: null }, usage(5.01)],
  [false, { costUsd: null, tokens: 10 }, usage(1e9, 5)],
  [true, { costUsd: null, tokens: 10 }, usage(0, 6)],
  [false, { costUsd: null, tokens: null }, usage(1e9, 1e9)],
])('overspent is %s with %o after %o', (expected, limits, spent) => expect(isOverspent(limits, spent)).toBe(expected))

test.each([
  [null, undefined, 1],
  [null, 4e6, 4],
  ['the limit of 3 MB on disk is reached', 4e6, 3],
  [null, 4e6, null],
  [null, 4e6, undefined],
])('disk: %s after %s bytes with a limit of %s MB', (detail, diskBytes, diskMb) => {
  const state = sampleState(diskBytes === undefined ? {} : { diskBytes })
  const limits = {
    ...state.config.limits,
    turns: null,
    costUsd: null,
    tokens: null,
    ...(diskMb === undefined ? {} : { diskMb }),
  }
  expect(turnsAreUp({ ...state, config: { ...state.config, limits } }, 1)?.detail ?? null).toBe(detail)
})
