import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { readDocument } from './document.ts'
import { problems } from './problems.ts'
import { takeOver as take } from './take-over.ts'

const takeOver = (given: string, copy: string, current: string): string | null =>
  take(given, copy, current, 'to-do.json')

const text = (...tasks: object[]): string => `${JSON.stringify({ extra: 1, tasks }, null, 2)}\n`
const [one, two] = [
  { id: 'T1', title: 'one', mine: [1] },
  { id: 'T2', title: 'two' },
]

test('C4: nothing was changed', () => {
  expect(takeOver(text(one), text(one), text(one, two))).toBeNull()
})

test('C4: without other changes the copy is taken as it is', () => {
  const copy = text({ ...one, title: 'ONE' }, two)
  expect(takeOver(text(one), copy, text(one))).toBe(copy)
})

test('C4: both changed it: by task and field, and nothing of either is lost', () => {
  const result = takeOver(
    text(one, two),
    text({ ...one, title: 'by the agent' }, two, {
      id: 'T3',
      title: 'new',
      deep: [{ a: [1, null, true] }],
      flag: false,
      none: null,
    }),
    text({ ...one, status: 'done' }, two, { id: 'T4', title: 'by hand' }),
  )
  expect(JSON.parse(result ?? '')).toEqual({
    extra: 1,
    tasks: [
      { ...one, title: 'by the agent', status: 'done' },
      two,
      { id: 'T4', title: 'by hand' },
      { id: 'T3', title: 'new', deep: [{ a: [1, null, true] }], flag: false, none: null },
    ],
  })
})

test('C4: a task that the agent took out stays', () => {
  expect(takeOver(text(one, two), text(one), text(one, two))).toBeNull()
})

test('C4: one that was taken out by hand does not come back', () => {
  expect(takeOver(text(one, two), text(one, { ...two, title: 'x' }), text(one))).toBeNull()
})

test('what cannot be read is refused', () => {
  expect(() => takeOver(text(one), '{', text(one))).toThrow()
})

test('C4: one that it took out while it put another in stays as well', () => {
  const three = { id: 'T3', title: 'three' }
  expect(JSON.parse(takeOver(text(one, two), text(one, three), text(one, two)) ?? '')).toEqual({
    extra: 1,
    tasks: [one, two, three],
  })
})

test('C4: where both changed one field, the one in the file stays', () => {
  const result = takeOver(
    text(one),
    text({ ...one, title: 'by the agent', priority: 1 }),
    text({ ...one, title: 'by hand' }),
  )
  expect(JSON.parse(result ?? '')).toEqual({ extra: 1, tasks: [{ ...one, title: 'by hand', priority: 1 }] })
})

test("C4: both made a new task of one id: both are there, once, and what depends on the agent's finds it", () => {
  const [ours, theirs] = [
    { id: 'T3', title: 'by the agent' },
    { id: 'T3', title: 'by hand' },
  ]
  const copy = text(one, two, ours, { id: 'T4', title: 'four', depends_on: ['T3', 'T1'] })
  const result = takeOver(text(one, two), copy, text(one, two, theirs)) ?? ''
  expect(JSON.parse(result)).toEqual({
    extra: 1,
    tasks: [one, two, theirs, { ...ours, id: 'T3-2' }, { id: 'T4', title: 'four', depends_on: ['T3-2', 'T1'] }],
  })
  expect(
    takeOver(
      text(one, two),
      text(one, two, ours),
      takeOver(text(one, two), text(one, two, ours), text(one, two, theirs)) ?? '',
    ),
  ).toBeNull()
})

test.each([
  [
    'two tasks of one id',
    text(one, { id: 'T3', title: 'a' }, { id: 'T3', title: 'b' }),
    'tasks[2] has the id of tasks[1]',
  ],
  ['a circle', text({ ...one, depends_on: ['T1'] }), 'tasks[0].depends_on[0] is the task itself: "T1"'],
  [
    'a dependency that is missing',
    text({ ...one, depends_on: ['T7'] }, { id: 'T8', title: '' }),
    'tasks[0].depends_on[0] names no task: "T7" (and 1 more)',
  ],
])('C4: %s: the backlog would be broken, and nothing is taken over', (_name, copy, why) => {
  for (const current of [text(one), text(one, two)]) {
    expect(() => takeOver(text(one), copy, current)).toThrow(
      expect.objectContaining({ code: 'CONFIG_BACKLOG', message: expect.stringMatching(/^to-do\.json: [^\n]+$/) }),
    )
  }
  expect(() => takeOver(text(one), copy, text(one))).toThrow(`to-do.json: ${why}`)
})

test('C4: a file that is incomplete because a person edits it is not written', () => {
  expect(() => takeOver(text(one), text(one, two), '{ "tasks": { "T1": "mine" } }')).toThrow('to-do.json: tasks')
})

test('C4: an empty file is a backlog without tasks', () => {
  expect(takeOver('', text(one), '')).toBe(text(one))
  expect(takeOver(text(one), '', text(one))).toBeNull()
})

type Task = { id: string } & Record<string, unknown>
type Edit = { id: string; do: 'remove' } | { id: string; do: 'put'; field: string; value: string; needs: string | null }

const ids = ['T1', 'T2', 'T3', 'T4']
const edits = fc.array(
  fc
    .record({
      id: fc.constantFrom(...ids),
      what: fc.option(
        fc.record({
          field: fc.constantFrom('title', 'note', 'details'),
          value: fc.constantFrom('a', 'b', 'c'),
          needs: fc.option(fc.constantFrom(...ids)),
        }),
      ),
    })
    .map(({ id, what }): Edit => (what === null ? { id, do: 'remove' } : { id, do: 'put', ...what })),
  { maxLength: 6 },
)

/** Adds the task where it is missing. */
function edited(tasks: readonly Task[], acts: readonly Edit[], by: string): Task[] {
  const all = new Map(tasks.map((task) => [task.id, task]))
  for (const act of acts) {
    if (act.do === 'remove') all.delete(act.id)
    else {
      const old = all.get(act.id) ?? { id: act.id, title: `added by ${by}`, by }
      all.set(act.id, {
        ...old,
        [act.field]: `${act.value} ${by}`,
        ...(act.needs === null ? {} : { depends_on: [act.needs] }),
      })
    }
  }
  return [...all.values()]
}

test('C4: whatever the agent and people do at once, no edit by hand and no task is lost', () => {
  let taken = 0
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...ids)), edits, edits, (start, agents, hands) => {
      const given: Task[] = start.map((id) => ({ id, title: `do ${id}` }))
      const [copy, current] = [edited(given, agents, 'agent'), edited(given, hands, 'hand')]
      let result: string | null
      try {
        result = takeOver(text(...given), text(...copy), text(...current))
      } catch (error) {
        expect(error).toMatchObject({ code: 'CONFIG_BACKLOG' })
        return
      }
      if (result === null) return
      taken++
      expect(problems(readDocument(result))).toEqual([])
      const { tasks } = JSON.parse(result) as { tasks: Task[] }
      const named = (list: readonly Task[], id: string): Task | undefined => list.find((task) => task.id === id)
      expect(tasks.map(({ id }) => id)).toEqual(expect.arrayContaining(current.map(({ id }) => id)))
      for (const task of current) {
        const old = named(given, task.id)
        const byHand = Object.entries(task).filter(
          ([field, value]) => JSON.stringify(value) !== JSON.stringify(old?.[field]),
        )
        expect(named(tasks, task.id)).toMatchObject(Object.fromEntries(byHand))
      }
      for (const { id } of given) if (!named(current, id)) expect(named(tasks, id)).toBeUndefined()
      for (const { id, depends_on: _, ...words } of copy) {
        const [old, now] = [named(given, id), named(current, id)]
        if (!old) expect(tasks).toContainEqual(expect.objectContaining(words))
        else if (now) {
          const free = Object.entries(words).filter(
            ([field, value]) => value !== old[field] && old[field] === now[field],
          )
          expect(named(tasks, id)).toMatchObject(Object.fromEntries(free))
        }
      }
    }),
    { numRuns: tries(2_000) },
  )
  expect(taken).toBeGreaterThan(tries(300))
})
