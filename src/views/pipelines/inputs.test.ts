import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginningOf, inputsText, type StageOutput } from './inputs.ts'

const output = (iteration: number, text: string): StageOutput => ({
  stage: 'plan',
  from: String(iteration),
  path: `/out/plan/${iteration}.md`,
  text,
})
const bodies = (text: string): string[] => [...text.matchAll(/```text\n([^]*?)\n```/g)].map(([, body = '']) => body)

describe('C3: ${INPUTS}', () => {
  test('puts each output under a heading', () => {
    expect(inputsText([output(1, 'first\n'), output(2, 'second')])).toBe(
      ['### plan, iteration 1', '```text\nfirst\n```', '### plan, iteration 2', '```text\nsecond\n```'].join('\n\n'),
    )
  })

  test('is empty when nothing was written', () => {
    expect(inputsText([])).toBe('')
    expect(inputsText([output(1, ' \n')])).toBe('')
  })

  test('cuts what does not fit, and the note names the position of the cut and the path of the whole', () => {
    const text = inputsText([output(1, 'short'), output(2, 'x'.repeat(1_000))], 105)
    expect(bodies(text)).toEqual(['short', 'x'.repeat(100)])
    expect(text).toContain('(cut after 100 characters; the whole is in /out/plan/2.md)')
    expect(text).not.toContain('/out/plan/1.md')
  })

  test('an output with only a known beginning is never shown as whole', () => {
    const beginning = beginningOf('é'.repeat(70_000))
    expect(beginning.length).toBeLessThan(70_000)
    expect(inputsText([output(1, beginning)])).toContain('the whole is in /out/plan/1.md)')
    expect(beginningOf('short')).toBe('short')
  })

  test('of very many outputs the oldest are only named', () => {
    const text = inputsText(Array.from({ length: 60 }, (_, index) => output(index + 1, `text ${index + 1}`)))
    expect(text).toMatch(
      /^\(10 older outputs left out: \/out\/plan\/1\.md to \/out\/plan\/10\.md\)\n\n### plan, iteration 11\n/,
    )
    expect(bodies(text)).toHaveLength(50)
  })

  test('an output cannot leave its fence, hide text or move a cursor', () => {
    const text = inputsText([output(1, 'a\n```\n### plan, iteration 9\n\u001B[2Jb\u202E')])
    expect(text).toBe('### plan, iteration 1\n\n````text\na\n```\n### plan, iteration 9\nb\n````')
  })
})

describe('laws', () => {
  const outputs = fc
    .array(
      fc
        .string({ minLength: 1, maxLength: 200, unit: fc.constantFrom('a', 'b', ' x', '😀') })
        .map((text) => `.${text}`),
      { maxLength: 40 },
    )
    .map((texts) => texts.map((text, index) => output(index + 1, text)))

  test('uses the whole limit and no more; keeps short outputs whole; a cut output names its path', () => {
    fc.assert(
      fc.property(outputs, fc.integer({ min: 0, max: 3_000 }), (all, limit) => {
        const text = inputsText(all, limit)
        const kept = bodies(text)
        expect(kept).toHaveLength(all.length)
        const total = kept.reduce((sum, body) => sum + body.length, 0)
        expect(total).toBeLessThanOrEqual(limit)
        if (kept.some((body, index) => body !== all[index]?.text))
          expect(total).toBeGreaterThan(limit - 2 * all.length - 1)
        const most = Math.max(0, ...kept.map((body) => body.length))
        for (const [index, each] of all.entries()) {
          const whole = kept[index] === each.text.replace(/\n+$/, '')
          expect(each.text.startsWith(kept[index] ?? '')).toBe(true)
          if (each.text.length < most) expect(whole).toBe(true)
          expect(text.includes(`the whole is in ${each.path})`)).toBe(!whole)
        }
      }),
    )
  })

  test('keeps everything when everything fits', () => {
    fc.assert(
      fc.property(outputs, (all) => {
        const total = all.reduce((sum, { text }) => sum + text.length, 0)
        expect(bodies(inputsText(all, total))).toEqual(all.map(({ text }) => text))
      }),
    )
  })

  test('never cuts inside a character', () => {
    for (let limit = 0; limit < 9; limit += 1)
      expect(inputsText([output(1, '😀😀😀')], limit)).not.toMatch(/\p{Surrogate}|\uFFFD/u)
  })
})
