import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { readDocument } from './document.ts'
import { mostProblems, problems } from './problems.ts'

const linesOf = (text: string): string[] =>
  problems(readDocument(text)).map(({ line, column, message }) => `${line}:${column}: ${message}`)
const backlog = (...tasks: object[]): string =>
  JSON.stringify({ tasks: tasks.map((task) => ({ title: 'x', ...task })) })

describe('D2: the problems of a backlog', () => {
  test('are none in a valid one', () => {
    expect(
      linesOf(
        '{"schema_version":1,"tasks":[{"id":"T1","title":"x","depends_on":["T2"]},{"id":"T2","title":"y","status":"pending"}]}',
      ),
    ).toEqual([])
    expect(linesOf('{"tasks":[]}')).toEqual([])
  })

  test('have a path, a line and a column each, in the order of the text', () => {
    expect(
      linesOf(`{
  "schema_version": 2,
  "tasks": [
    { "id": 1, "title": "x", "status": "TODO" },
    { "id": "T2", "priority": "high", "steps": ["a", 5] },
    "T3",
    { "id": "T2", "title": "again", "depends_on": ["T9", "T2"] }
  ],
  "project": []
}`),
    ).toEqual([
      '2:21: schema_version must be 1, which is all that this version of Looper knows, not 2',
      '4:13: tasks[0].id must be a text of one line, at most 100 characters, without spaces around it, not 1',
      '4:40: tasks[0].status must be one of todo, doing, done, blocked, cancelled, not "TODO"',
      '5:5: tasks[1].title is missing',
      '5:31: tasks[1].priority must be a whole number from 0 up, not "high"',
      '5:54: tasks[1].steps[1] must be a text, not 5',
      '6:5: tasks[2] must be a task: { "id": "T001", "title": "…" }, not "T3"',
      '7:13: tasks[3].id repeats "T2", the id of tasks[1]',
      '7:52: tasks[3].depends_on[0] names no task: "T9"',
      '9:14: project must be an object: { "name": "…", "root": "." }, not []',
    ])
    expect(linesOf('{}')).toEqual(['1:1: tasks is missing'])
    expect(linesOf('\uFEFF{\r\n"tasks": {}}')).toEqual(['2:10: tasks must be a list of tasks, not {}'])
  })

  test('are permissions that do not exist, and authors', () => {
    expect(linesOf(backlog({ id: 'T1', allows: ['skip-tests', 'remove-tests:test/a/**'], added_by: 'agent' }))).toEqual(
      [],
    )
    const wrong = backlog({ id: 'T1', allows: ['remove', 'skip-tests:'], repairs: [''], added_by: 'me' })
    expect(problems(readDocument(wrong)).map(({ path, message }) => [path, message])).toEqual([
      ['tasks[0].allows[0]', expect.stringMatching(/must be remove-tests, skip-tests, .*, not "remove"$/)],
      ['tasks[0].allows[1]', expect.stringContaining('not "skip-tests:"')],
      ['tasks[0].repairs[0]', expect.stringContaining('must be a text that is not empty')],
      ['tasks[0].added_by', expect.stringContaining('must be one of person, agent')],
    ])
  })

  test('include ids that no run can use, when it is to be run', () => {
    const text = backlog(
      ...['a/b', 'main', 'Loop2', 'constructor', 'T1.2', ' T3', 'é', `T${'1'.repeat(40)}`].map((id) => ({ id })),
    )
    const found = problems(readDocument(text), { forRuns: true })
    const rule = 'it must be letters, digits, "_" and "-"'
    expect(found.map(({ kind, path, message }) => [kind, path, message.slice(0, 80)])).toEqual([
      ['unusable-id', 'tasks[0].id', `tasks[0].id cannot be used in a run: "a/b"; ${rule}`.slice(0, 80)],
      ['unusable-id', 'tasks[1].id', 'tasks[1].id cannot be used in a run: "main"; Looper uses that name itself'],
      ['unusable-id', 'tasks[2].id', 'tasks[2].id cannot be used in a run: "Loop2"; Looper uses that name itself'],
      [
        'unusable-id',
        'tasks[3].id',
        'tasks[3].id cannot be used in a run: "constructor"; Looper uses that name itself',
      ],
      ['schema', 'tasks[5].id', expect.stringContaining('must be a text of one line')],
      ['unusable-id', 'tasks[6].id', `tasks[6].id cannot be used in a run: "é"; ${rule}`.slice(0, 80)],
      ['unusable-id', 'tasks[7].id', expect.stringContaining('cannot be used in a run')],
    ])
    expect(problems(readDocument(text))).toHaveLength(1)
  })

  test('count columns without the byte order mark', () => {
    expect(linesOf('\uFEFF{"tasks":1}')).toEqual(['1:10: tasks must be a list of tasks, not 1'])
  })

  test.each([
    ['itself', [['T1']], ['tasks[0].depends_on[0] is the task itself: "T1"']],
    ['two', [['T2'], ['T1']], ['tasks[1].depends_on[0] closes a circle: "T1" → "T2" → "T1"']],
    [
      'three, in the middle of others',
      [['T2'], ['T3'], ['T4', 'T5'], ['T2'], []],
      ['tasks[3].depends_on[0] closes a circle: "T2" → "T3" → "T4" → "T2"'],
    ],
    [
      'two circles',
      [['T2'], ['T1', 'T3'], ['T3']],
      ['tasks[1].depends_on[0] closes a circle: "T1" → "T2" → "T1"', 'tasks[2].depends_on[0] is the task itself: "T3"'],
    ],
    ['a diamond, which is none', [['T2', 'T3'], ['T4'], ['T4'], []], []],
  ])('name circles by the tasks on them: %s', (_, dependencies, expected) => {
    const text = backlog(...dependencies.map((names, index) => ({ id: `T${index + 1}`, depends_on: names })))
    expect(linesOf(text).map((line) => line.replace(/^\d+:\d+: /, ''))).toEqual(expected)
  })

  test('name long circles in short', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      id: `T${index}`,
      depends_on: [`T${(index + 1) % 10_000}`],
    }))
    const [line = '', ...more] = linesOf(backlog(...many))
    expect(more).toEqual([])
    expect(line).toMatch(/tasks\[9999\]\.depends_on\[0\] closes a circle: "T0" → .* → "T9" → … → "T0"$/)
  })

  test('report keys that appear twice, at any depth', () => {
    expect(linesOf('{"tasks":[],"tasks":[{"id":"T1","title":"x",\n"more":{"a":1,"\\u0061":2},"id":"T2"}]}')).toEqual([
      '1:13: the backlog has the key "tasks" twice',
      '2:15: tasks[0] has the key "a" twice',
      '2:27: tasks[0] has the key "id" twice',
    ])
  })

  test('report what is nested too deep', () => {
    expect(linesOf(`{"tasks":[],"more":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).toEqual([
      '1:119: more than 100 levels deep',
    ])
  })

  test('are bounded', () => {
    const wrong = Array.from({ length: 5_000 }, () => ({ id: 'T1', depends_on: ['T2', 'T1'], priority: 'x' }))
    expect(linesOf(backlog(...wrong))).toHaveLength(mostProblems)
    expect(linesOf(JSON.stringify({ tasks: [], source_files: Array(100_000).fill(1) }))).toHaveLength(mostProblems)
    const knotted = Array.from({ length: 1_000 }, (_, index) => ({
      id: `T${index}`,
      depends_on: [...Array(Math.min(index, 50)).keys(), index + 1].map((each) => `T${each}`),
    }))
    expect(linesOf(backlog(...knotted))).toHaveLength(mostProblems)
  })

  test('are found, and found again, in anything', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('tasks', 'project', 'x'), fc.jsonValue({ maxDepth: 3 })), (root) => {
        const text = JSON.stringify(root, null, 2)
        const lines = text.split('\n')
        for (const { line, column } of problems(readDocument(text)))
          expect(lines[line - 1]?.length).toBeGreaterThanOrEqual(column)
      }),
    )
  })

  test('are none exactly where ids are unique and dependencies lead nowhere in a circle', () => {
    const graph = fc
      .integer({ min: 1, max: 7 })
      .chain((count) => fc.array(fc.array(fc.nat(count), { maxLength: 3 }), { minLength: count, maxLength: count }))
    fc.assert(
      fc.property(graph, (edges) => {
        const text = backlog(
          ...edges.map((names, index) => ({ id: `T${index}`, depends_on: names.map((name) => `T${name}`) })),
        )
        const kinds = new Set(problems(readDocument(text)).map(({ kind }) => kind))
        expect(kinds.has('missing-dependency')).toBe(edges.some((names) => names.some((name) => name >= edges.length)))
        expect(kinds.has('circle')).toBe(!sortable(edges))
      }),
      { numRuns: tries(500) },
    )
  })
})

/** Removes tasks without dependencies until none is left or none can be removed. */
function sortable(edges: readonly (readonly number[])[]): boolean {
  const left = new Set(edges.keys())
  for (let before = -1; before !== left.size;) {
    before = left.size
    for (const task of left) if (edges[task]!.every((name) => !left.has(name))) left.delete(task)
  }
  return left.size === 0
}
