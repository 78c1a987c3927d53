import { describe, expect, test } from 'vitest'
import { JsonProblem } from '../../platform/jsonc.ts'
import { readDocument } from './document.ts'

const problemOf = (text: string): string => {
  try {
    readDocument(text)
  } catch (error) {
    if (error instanceof JsonProblem) return `${error.line}:${error.column} ${error.message}`
    throw error
  }
  return 'none'
}

describe('D2: a backlog that is no JSON is reported by line and column', () => {
  test.each([
    ['{\n  "tasks": [\n    { "id": "T1" "title": "x" }\n  ]\n}\n', '3:18 expected "," or "}", found "\\""'],
    ['{\r\n  "tasks": [\r\n    { "id": "T1", }\r\n  ]\r\n}\r\n', '3:17 a comma before "}"'],
    ['\uFEFF{ "tasks": [ }', '1:14 expected a value, found "}"'],
    ['// tasks\n{}', '1:1 expected a value, found "/"'],
    ['', '1:1 expected a value, found end of file'],
    ['{"tasks": []', '1:13 expected "," or "}", found end of file'],
    [' [1]', '1:2 a backlog is an object: { "tasks": [ … ] }'],
    ['\n  "x"', '2:3 a backlog is an object: { "tasks": [ … ] }'],
    ['['.repeat(1_000_000), '1:101 more than 100 levels deep'],
    [`{"tasks":["${'a'.repeat(2_000_000)}]}`, '1:11 a string that is not closed'],
  ])('%#', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })
})

test('keeps the byte order mark apart', () => {
  expect(readDocument('\uFEFF{"tasks":[]}')).toMatchObject({
    mark: '\uFEFF',
    text: '{"tasks":[]}',
    root: { tasks: [] },
  })
  expect(readDocument('{"tasks":[]}')).toMatchObject({ mark: '', text: '{"tasks":[]}' })
})

test('knows where the tasks are, wherever they stand', () => {
  const text = ' {"a": [1, {"tasks": []}], "tasks" : [ {"id":"T1"},\n2 ] , "b": "]" }'
  const { list, elements, members } = readDocument(text).layout()
  expect(list && text.slice(list.start, list.end)).toBe('[ {"id":"T1"},\n2 ]')
  expect(elements.map(({ start, end }) => text.slice(start, end))).toEqual(['{"id":"T1"}', '2'])
  expect(members.map(({ name }) => name)).toEqual(['a', 'tasks', 'b'])
  for (const none of ['{}', '{"tasks":null}', '{"tasks":{"a":1}}'])
    expect(readDocument(none).layout()).toMatchObject({ list: null, elements: [] })
})
