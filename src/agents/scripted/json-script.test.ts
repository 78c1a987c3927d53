import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readJsonScript } from './json-script.js'
import { jsonOf, loadScript } from './load-script.ts'

test('the script of the demo is the same as JSON and as YAML', async () => {
  const script = await loadScript(resolve(import.meta.dirname, '../../../demo/script.yaml'))
  expect(script.turns.length).toBeGreaterThan(10)
  expect(readJsonScript(jsonOf(script))).toEqual(script)
})

test('a turn keeps how often it may be played', () => {
  const script = { turns: [{ match: { role: 'coder' }, times: 2, steps: [{ kind: 'sleep', value: 5 }] }] }
  expect(readJsonScript(jsonOf(script))).toEqual(script)
})

test.each([
  'turns: []',
  '[]',
  'null',
  '{ "turns": {} }',
  '{ "turns": [], "more": 1 }',
  '{ "turns": [3] }',
  '{ "turns": [{}] }',
  '{ "turns": [{ "steps": [], "more": 1 }] }',
  '{ "turns": [{ "times": 0, "steps": [] }] }',
  '{ "turns": [{ "match": { "role": 1 }, "steps": [] }] }',
  '{ "turns": [{ "match": [], "steps": [] }] }',
  '{ "turns": [{ "steps": [{}] }] }',
  '{ "turns": [{ "steps": [{ "jump": 1 }] }] }',
  '{ "turns": [{ "steps": [{ "sleep": "long" }] }] }',
  '{ "turns": [{ "steps": [{ "sleep": 1, "message": "two" }] }] }',
])('%s is left to the YAML parser', (source) => {
  expect(readJsonScript(source)).toBeNull()
})
