/** Every pause, block and refusal ends with the command or the words that resolve it. */
import { describe, expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import { errorTable } from '../../model/error.ts'
import type { PauseKind } from '../../model/pause.ts'
import { blockKinds } from '../../model/vocabulary.ts'
import { blockHint } from '../../model/block-hint.ts'
import { noPaint } from '../text/paint.ts'
import { advice, stepRows } from './next-steps.ts'

const pauseKinds: Record<PauseKind, true> = {
  limit: true,
  question: true,
  auth: true,
  config: true,
  blocked: true,
  setup: true,
  wait: true,
  user: true,
  health: true,
}

const verbs =
  /^(?:Add|Answer|Clone|Commit|Do|Fix|Free|Install|Make|Merge|Name|Raise|Read|Rename|Run|Say|Start|Undo|Use|Set|Go|Give)\b/
const isCommand = /`?\b(?:looper|git) [a-z-]+/
const isAction = (text: string): boolean => verbs.test(text) || isCommand.test(text) || /\btry again\b/.test(text)

describe('the hint names a command or an action', () => {
  test.each(Object.entries(errorTable))('error %s', (_code, { hint }) => {
    expect(isAction(hint), hint).toBe(true)
  })

  test.each(Object.keys(pauseKinds) as PauseKind[])('a pause for %s', (kind) => {
    const reason = { kind, detail: 'because', hint: '' }
    const { steps } = advice(sampleState({ status: 'paused', pause: reason }), { live: false })
    expect(steps.map(({ command }) => command)).toContainEqual(expect.stringMatching(/^looper resume 001/))
  })

  test('a failed run with an open question', () => {
    const question = { id: 'Q1', text: 'May T001 …?', options: [], default: null, blocks: ['T001'], origin: 'T001/a1' }
    const state = sampleState({ status: 'failed', questions: [{ ...question, answer: null, by: null }] })
    const { steps } = advice(state, { live: false })
    expect(steps[0]?.command).toMatch(/^looper answer Q1 "…" --run 001/)
  })

  test.each(blockKinds)('a task blocked by %s', (kind) => {
    const { hint } = blockHint(kind, 'T001')
    expect(isAction(hint), hint).toBe(true)
    expect(hint).toMatch(/looper \w+/)
  })
})

test('a remedy that is a command is listed once, and what the steps do is aligned', () => {
  const text = 'Copy .env into each workspace'
  const remedies = [{ text, command: 'looper config set workspace.copy .env' }]
  const resume = { fix: text, options: '', isLater: false }
  const pause = { kind: 'setup' as const, detail: 'because', hint: `${text}.`, remedies, resume }
  const { hint, steps } = advice(sampleState({ status: 'paused', pause }), { live: false })
  expect(hint).toBeNull()
  expect(stepRows(steps, noPaint)).toEqual([
    'looper config set workspace.copy .env  Copy .env into each workspace',
    'looper resume 1                        continues it',
  ])
})
