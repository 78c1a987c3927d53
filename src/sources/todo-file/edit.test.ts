import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { isObject } from '../../model/object.ts'
import { readDocument } from './document.ts'
import { formatDocument } from './format.ts'
import { editDocument, type Edits } from './edit.ts'
import type { Value } from './site.ts'
import { membersAt, type Member } from '../../platform/json-spans.ts'

const none: Edits = { tasks: new Map(), added: [], root: {} }
const edited = (source: string, edits: Partial<Edits>): string => {
  const { mark, text } = editDocument(readDocument(source), { ...none, ...edits })
  return mark + text
}

describe('D1: an edit changes its bytes and no others', () => {
  const source = `\uFEFF{\r
\t"tasks" : [\r
\t\t{ "id": "T1",   "title": "one", "status":"todo", "blockers": [], "tags": ["a","b"] },\r
\t\t{\r
\t\t\t"id": "T2", "more" : {"x":[1,2 ,3]},\r
\t\t\t"status": "todo"\r
\t\t}\r
\t],\r
\t"else": 1.50\r
}\r
\r
`
  test.each<[string, Partial<Edits>, [string, string]]>([
    ['a field', { tasks: new Map([[0, { status: 'done' }]]) }, ['"status":"todo"', '"status":"done"']],
    [
      'a field of another task',
      { tasks: new Map([[1, { status: 'doing' }]]) },
      ['"status": "todo"\r\n', '"status": "doing"\r\n'],
    ],
    [
      'an empty list, like its neighbor',
      { tasks: new Map([[0, { blockers: ['x', 'y'] }]]) },
      ['"blockers": []', '"blockers": ["x","y"]'],
    ],
    ['a list', { tasks: new Map([[0, { tags: ['c', 'd', 'e'] }]]) }, ['["a","b"]', '["c","d","e"]']],
    [
      'a field that is new',
      { tasks: new Map([[1, { summary: 'Said "so"\n\u001B' }]]) },
      ['"status": "todo"\r\n', '"status": "todo",\r\n\t\t\t"summary": "Said \\"so\\"\\n\\u001b"\r\n'],
    ],
    [
      'a new list',
      { tasks: new Map([[1, { blockers: ['x'] }]]) },
      ['"status": "todo"\r\n', '"status": "todo",\r\n\t\t\t"blockers": [\r\n\t\t\t\t"x"\r\n\t\t\t]\r\n'],
    ],
    [
      'the mark of completion',
      { root: { completed: { at: 'now', run: '001-x' } } },
      ['\t"tasks" :', '\t"completed": {\r\n\t\t"at": "now",\r\n\t\t"run": "001-x"\r\n\t},\r\n\t"tasks" :'],
    ],
    [
      'a new task',
      { added: [{ id: 'T3', title: 'three', files: ['a'] }] },
      [
        '\t\t}\r\n\t],',
        '\t\t},\r\n\t\t{\r\n\t\t\t"id": "T3",\r\n\t\t\t"title": "three",\r\n\t\t\t"files": [\r\n\t\t\t\t"a"\r\n\t\t\t]\r\n\t\t}\r\n\t],',
      ],
    ],
    ['nothing', { tasks: new Map([[0, { status: 'todo' }]]) }, ['', '']],
  ])('%s', (_, edits, [before, after]) => {
    expect(edited(source, edits)).toBe(source.replace(before, after))
  })

  test.each<[string, string]>([
    ['{}', '{\n  "tasks": [\n    {\n      "id": "T1"\n    }\n  ]\n}'],
    [' { } \n', ' {\n  "tasks": [\n    {\n      "id": "T1"\n    }\n  ]\n} \n'],
    ['{"a":1}', '{"a":1,"tasks":[{"id":"T1"}]}'],
    ['{"a": 1}', '{"a": 1, "tasks": [{"id": "T1"}]}'],
    ['{"tasks":[]}', '{"tasks":[{"id":"T1"}]}'],
    ['{"tasks":null}', '{"tasks":[{"id":"T1"}]}'],
    ['{ "tasks": [\n] }', '{ "tasks": [{"id": "T1"}] }'],
    ['{\n    "tasks": []\n}\n', '{\n    "tasks": [\n        {\n            "id": "T1"\n        }\n    ]\n}\n'],
    ['{"tasks":[{"id":"T0"}]}', '{"tasks":[{"id":"T0"},{"id":"T1"}]}'],
    ['{"tasks": [\n{ "id": "T0" }\n]}', '{"tasks": [\n{ "id": "T0" },\n{ "id": "T1" }\n]}'],
    ['{"tasks": [{}]}', '{"tasks": [{}, {"id": "T1"}]}'],
  ])('the first or next task of %j', (source, after) => {
    expect(edited(source, { added: [{ id: 'T1' }] })).toBe(after)
  })

  test('lists stay on one line where the document has them so', () => {
    const source = '{\n  "source_files": ["a"],\n  "tasks": [\n    {\n      "id": "T1"\n    }\n  ]\n}\n'
    expect(edited(source, { tasks: new Map([[0, { files: ['x', 'y'] }]]) })).toBe(
      source.replace('"T1"', '"T1",\n      "files": ["x", "y"]'),
    )
  })

  test('of two keys with one name the last is edited, which is the one that counts', () => {
    expect(edited('{"tasks":[{"status":"a","status":"b"}]}', { tasks: new Map([[0, { status: 'c' }]]) })).toBe(
      '{"tasks":[{"status":"a","status":"c"}]}',
    )
  })

  test('what a terminal would obey is escaped', () => {
    expect(edited('{"tasks":[{"id":"T1"}]}', { tasks: new Map([[0, { summary: '\u202E\u009B' }]]) })).toBe(
      '{"tasks":[{"id":"T1","summary":"\\u202e\\u009b"}]}',
    )
  })
})

describe('D1: any edit of any backlog', () => {
  const field = fc.constantFrom('id', 'status', 'blockers', 'summary', 'files', 'odd "key"', '1', '\u00e9', '__proto__')
  /** Without -0, which JSON cannot represent. */
  const json = fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.parse(JSON.stringify(each)) as Value)
  const value = fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 }), json)
  const plainTask = fc.array(fc.tuple(field, fc.oneof(value, fc.jsonValue({ maxDepth: 2 }))), { maxLength: 6 })
  const gap = fc.stringMatching(/^[ \t\r\n]{0,3}$/)
  /** The text of any value, with any white space that JSON allows. */
  const laidOut = (item: unknown, gaps: Iterator<string>): string => {
    const space = (): string => String(gaps.next().value)
    if (Array.isArray(item))
      return `[${item.map((each) => space() + laidOut(each, gaps) + space()).join(',')}${item.length === 0 ? space() : ''}]`
    if (!isObject(item)) return JSON.stringify(item)
    const members = Object.entries(item).map(
      ([key, each]) => `${space()}${JSON.stringify(key)}${space()}:${space()}${laidOut(each, gaps)}${space()}`,
    )
    return `{${members.join(',')}${members.length === 0 ? space() : ''}}`
  }
  function* cycle(items: readonly string[]): Generator<string> {
    for (let index = 0; ; index++) yield items[index % items.length] ?? ''
  }
  const document = fc
    .record({
      before: fc.dictionary(fc.constantFrom('project', 'source_files', 'x'), fc.jsonValue({ maxDepth: 2 })),
      tasks: fc.option(
        fc.array(
          fc.oneof(
            plainTask.map((entries) => Object.fromEntries(entries)),
            fc.jsonValue({ maxDepth: 1 }),
          ),
          { maxLength: 5 },
        ),
      ),
      after: fc.dictionary(fc.constantFrom('completed', 'y'), fc.jsonValue({ maxDepth: 2 })),
      gaps: fc.oneof(fc.array(gap, { minLength: 1, maxLength: 9 }), fc.constant(null)),
      mark: fc.constantFrom('', '\uFEFF'),
    })
    .map(({ before, tasks, after, gaps, mark }) => {
      const root = { ...before, ...(tasks === null ? {} : { tasks }), ...after }
      return (
        mark + (gaps === null ? JSON.stringify(root, null, 2) : `${gaps[0]}${laidOut(root, cycle(gaps))}${gaps[0]}`)
      )
    })
  const values = fc
    .array(fc.tuple(field, value), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries.filter(([name]) => name !== '__proto__')))
  const edits = fc.record({
    tasks: fc.dictionary(fc.nat(4).map(String), values, { maxKeys: 4 }),
    added: fc.array(values, { maxLength: 3 }),
    root: fc.dictionary(
      fc.constantFrom('completed', 'z'),
      fc.oneof(value, fc.dictionary(fc.constantFrom('at', 'run'), fc.string())),
    ),
  })
  /** Keeps only edits of tasks that exist. */
  const fitting = (
    source: string,
    { tasks, ...rest }: { tasks: Record<string, object>; added: object[]; root: object },
  ): Edits => {
    const there = readDocument(source).tasks
    const indexes = Object.entries(tasks)
      .map(([index, each]) => [Number(index), each] as const)
      .filter(([index]) => isObject(there[index]))
    return { tasks: new Map(indexes), ...rest } as unknown as Edits
  }

  test('means what was asked, in the text as in the value', () => {
    fc.assert(
      fc.property(document, edits, (source, asked) => {
        const wanted = fitting(source, asked)
        const after = editDocument(readDocument(source), wanted)
        const before = JSON.parse(readDocument(source).text) as { tasks?: unknown[] }
        const tasks = (before.tasks ?? [])
          .map((task, index) => ({ kept: task, set: wanted.tasks.get(index) }))
          .map(({ kept, set }) => (set === undefined ? kept : { ...(kept as object), ...set }))
        const list =
          before.tasks === undefined && wanted.added.length === 0 ? {} : { tasks: [...tasks, ...wanted.added] }
        expect(JSON.parse(after.text)).toEqual({ ...before, ...list, ...wanted.root })
        expect(after.root).toEqual(JSON.parse(after.text))
        expect(after.layout()).toEqual(readDocument(after.mark + after.text).layout())
      }),
      { numRuns: tries(2_000) },
    )
  })

  test('leaves all other bytes as they are, and made twice is made once', () => {
    fc.assert(
      fc.property(document, edits, (source, asked) => {
        const wanted = { ...fitting(source, asked), added: [] }
        const after = edited(source, wanted)
        expect(edited(after, wanted)).toBe(after)
        if (namesIn(source, wanted).every((names) => names.length > 0))
          expect(rest(after, wanted, source)).toBe(rest(source, wanted, source))
      }),
      { numRuns: tries(2_000) },
    )
  })

  test('adds tasks without touching a byte of the rest', () => {
    fc.assert(
      fc.property(document, edits, (source, { added }) => {
        const after = edited(source, { added })
        const { list, elements } = readDocument(source).layout()
        const last = elements.at(-1)
        if (list === null || last === undefined) return
        const cut = source.length - readDocument(source).text.length + last.end
        expect(after.startsWith(source.slice(0, cut))).toBe(true)
        expect(after.endsWith(source.slice(cut))).toBe(true)
      }),
      { numRuns: tries(1_000) },
    )
  })

  /** The members of each edited object, the root object first. */
  const membersIn = (source: string, { tasks }: Edits): Member[][] => {
    const { text, layout } = readDocument(source)
    return [layout().members, ...[...tasks.keys()].map((index) => membersAt(text, layout().elements[index]!.start))]
  }
  const namesIn = (source: string, wanted: Edits): string[][] =>
    membersIn(source, wanted).map((members) => members.map(({ name }) => name))

  /** The text without the values that were set and the members that the original did not have. */
  function rest(source: string, wanted: Edits, original: string): string {
    const { mark, text } = readDocument(source)
    const set = [wanted.root, ...wanted.tasks.values()].map((fields) => Object.keys(fields))
    const had = namesIn(original, wanted)
    const cuts = membersIn(source, wanted)
      .flatMap((members, object) =>
        members.flatMap(({ name, value: span }, index) => {
          if (!set[object]!.includes(name)) return []
          if (had[object]!.includes(name)) return [span]
          const isAfter = members.slice(0, index).some((member) => had[object]!.includes(member.name))
          return [
            isAfter
              ? { start: members[index - 1]!.value.end, end: span.end }
              : { start: members[index]!.key.start, end: members[index + 1]!.key.start },
          ]
        }),
      )
      .toSorted((a, b) => a.start - b.start)
    return (
      mark
      + cuts.map(({ start }, index) => text.slice(cuts[index - 1]?.end ?? 0, start)).join('')
      + text.slice(cuts.at(-1)?.end ?? 0)
    )
  }
})

describe('D1: what is written into a formatted text', () => {
  const formatted = (value: unknown): string => formatDocument(readDocument(JSON.stringify(value)))
  const fields = fc.record(
    {
      status: fc.constantFrom('done', 'blocked', 'cancelled'),
      summary: fc.string(),
      reason: fc.string(),
      blockers: fc.array(fc.string(), { minLength: 1 }),
      files: fc.array(fc.string(), { minLength: 1 }),
      updated_at: fc.constant('now'),
    },
    { requiredKeys: [] },
  )
  const task = fc.record(
    {
      id: fc.constant('T1'),
      title: fc.constant('one'),
      priority: fc.nat(5),
      status: fc.constant('todo'),
      tags: fc.array(fc.string(), { minLength: 1 }),
      updated_at: fc.constant('then'),
      mine: fc.array(fc.nat()),
    },
    { requiredKeys: ['id', 'title'] },
  )
  test('is formatted', () => {
    fc.assert(
      fc.property(task, fields, fc.boolean(), fc.boolean(), (before, edit, isComplete, hasProject) => {
        const source = formatted({ ...(hasProject ? { project: { name: 'x' } } : {}), tasks: [before] })
        const text = edited(source, {
          tasks: new Map([[0, edit]]),
          added: [{ id: 'T2', title: 'two', files: ['a'] }],
          root: isComplete ? { completed: { at: 'now', run: '001-x' } } : {},
        })
        expect(formatDocument(readDocument(text))).toBe(text)
      }),
    )
  })
})
