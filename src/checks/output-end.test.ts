import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outputEnd } from './output-end.ts'

describe('outputEnd', () => {
  test('keeps exactly the end, whatever the chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{0,40}$/)), fc.integer({ min: 1, max: 50 }), (pieces, keep) => {
        const output = outputEnd(keep)
        for (const piece of pieces) output.push(Buffer.from(piece))
        const all = pieces.join('')
        const note = all.length > keep ? `[${all.length - keep} bytes before this were left out]\n` : ''
        expect(output.text()).toBe(note + all.slice(-keep))
      }),
    )
  })

  test('takes a flood of bytes', () => {
    const output = outputEnd(1_000)
    for (let index = 0; index < 200_000; index++) output.push(Buffer.from('x'))
    expect(output.text()).toBe(`[199000 bytes before this were left out]\n${'x'.repeat(1_000)}`)
  })
})
