import { expect, test } from 'vitest'
import { createMask, maskDeep } from '../agents/mask.ts'
import { initialState } from '../core/initial.ts'
import type { Event } from '../model/event.ts'
import { createRecorder } from './recorder.ts'

test('recorded facts are masked in the state, in the journal and for observers', async () => {
  const mask = createMask({ MY_TOKEN: 'hunter2-hunter2' }, [])
  const kept: Event[] = []
  const announced: Event[] = []
  const state = initialState()
  const recorder = createRecorder({
    state,
    clock: { now: () => 0 },
    clean: (fact) => maskDeep(fact, mask),
    onEvent: (event) => announced.push(event),
    journal: {
      load: async () => [],
      append: async (_after, events) => {
        kept.push(...events)
      },
      close: async () => {},
    },
    snapshots: { load: async () => null, save: async () => {} },
  })
  recorder.record({
    type: 'finding.raised',
    severity: 'WARNING',
    title: 'hunter2-hunter2',
    detail: btoa('hunter2-hunter2'),
    task: null,
    origin: 'x',
  })
  await recorder.flush()
  expect(kept).toMatchObject([
    { seq: 1, type: 'finding.raised', title: '[MY_TOKEN]', detail: '[MY_TOKEN]', origin: 'x' },
  ])
  expect(announced).toEqual(kept)
  expect(state.findings).toMatchObject([{ title: '[MY_TOKEN]' }])
})
