/** Edits of one text and what the guard finds in them. */
import { expect, test } from 'vitest'
import { guard } from '../../src/guard/guard.ts'

export type Edit = readonly [what: string, from: string, to: string]

const changed = (text: string, [, from, to]: Edit): string => {
  if (!text.includes(from)) throw new Error(`not there: ${from}`)
  return text.replace(from, () => to)
}

export const look = (path: string, text: string, edit: Edit) =>
  guard.compare([{ path, before: text, after: changed(text, edit) }]).findings

/** Each of `ways` weakens the tests in `text`, and none of `honest` does. */
export function testWays(path: string, text: string, ways: readonly Edit[], honest: readonly Edit[]): void {
  test.each(ways)('%s', (...edit) => {
    expect(look(path, text, edit).map(({ file }) => file)).toContain(path)
  })
  test.each(honest)('no alarm: %s', (...edit) => {
    expect(look(path, text, edit)).toEqual([])
  })
  test.each(ways)('no alarm once it was so before: %s', (...edit) => {
    const after = changed(text, edit)
    expect(guard.compare([{ path, before: after, after: `${after}\n` }]).findings).toEqual([])
  })
}
