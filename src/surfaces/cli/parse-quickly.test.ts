import { describe, expect, test } from 'vitest'
import { catalogue } from './catalogue.ts'
import { createOutput } from './output.ts'
import { parseQuickly } from './parse-quickly.ts'
import { parse } from './parse.ts'

const calls = [
  [],
  ['7'],
  ['auth'],
  ['--json'],
  ['7', '--json'],
  ['--json', '7'],
  ['--json', '--json'],
  ['7', '8'],
  ['--debug'],
  ['-C', 'x'],
  ['--'],
  ['-'],
  [''],
]
const nowhere = createOutput(() => {
  throw new Error('nothing is to be written')
})

describe.each(catalogue.filter(({ quick }) => quick !== undefined))('$name', (entry) => {
  test.each(calls.map((args) => [args]))('%j is read as commander reads it, or not at all', async (args) => {
    const quickly = parseQuickly(entry, args)
    if (quickly === null) return
    const { command: spec } = await entry.load()
    expect(quickly).toEqual(parse({ ...entry, spec, args }, nowhere, 80))
  })

  test('its usual calls are read quickly', () => {
    const words = Array.from({ length: entry.quick?.needed ?? 0 }, () => 'x')
    expect(parseQuickly(entry, [...words, ...(entry.quick?.flags ?? [])])).not.toBeNull()
  })
})

test('a command that does not say so is left to commander', () => expect(parseQuickly({}, [])).toBeNull())
