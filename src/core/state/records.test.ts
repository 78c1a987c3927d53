import { expect, test } from 'vitest'
import { sampleEvent, sampleState } from '../../../test/kit/state.ts'
import { evolve } from '../evolve.ts'

const change = (path: string) => sampleEvent({ type: 'outside.changed', during: [], paths: [path], more: 0 })

test('keeps the first two hundred outside changes in their order', () => {
  const state = sampleState()
  for (let n = 0; n < 250; n++) evolve(state, change(`path ${n}`))
  expect(state.outside).toHaveLength(200)
  expect(state.outside?.[0]).toEqual({ during: [], paths: ['path 0'], more: 0 })
})

test('a fork starts without those of the forked run', () => {
  const state = sampleState()
  evolve(state, change('a'))
  evolve(state, sampleEvent({ type: 'run.forked', from: { run: '001-x', seq: 4 }, config: state.config }))
  expect(state.outside).toBeUndefined()
})
