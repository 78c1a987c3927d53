import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createOutput } from './output.ts'

test('after an error nothing is written, and listeners are called once', () => {
  const sink = new PassThrough()
  const out = createOutput(() => sink)
  const told: string[] = []
  out.onGone(() => told.push('early'))
  out.write('a')
  sink.emit('error', new Error('write EPIPE'))
  sink.emit('error', new Error('write EPIPE'))
  out.write('b')
  out.onGone(() => told.push('late'))
  expect(told).toEqual(['early', 'late'])
  expect(String(sink.read())).toBe('a')
})
