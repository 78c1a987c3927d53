import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import type { SourceTask } from '../../model/source.ts'
import { importedTask, type ImportedTask } from './imported.ts'
import { mergeTasks } from './merge.ts'

const here = (id: string, title: string, more: Partial<SourceTask> = {}): SourceTask => ({
  id,
  title,
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: 3,
  status: 'todo',
  reason: null,
  ...more,
})
const nameless = (id: string, title: string, more: Partial<ImportedTask> = {}): ImportedTask =>
  importedTask({ id, title, named: false, ...more })
const named = (id: string, title: string, more: Partial<ImportedTask> = {}): ImportedTask =>
  importedTask({ id, title, ...more })

/** The tasks of the backlog after the merge. */
function after(existing: readonly SourceTask[], imported: readonly ImportedTask[]): SourceTask[] {
  const { added, closed } = mergeTasks(existing, imported)
  return [
    ...existing.map((task) => ({
      ...task,
      status: closed.find(({ id }) => id === task.id)?.task.status ?? task.status,
    })),
    ...added,
  ]
}

describe('ids', () => {
  test("are the file's own where they can be, and otherwise go on from those that are there", () => {
    const { added, notes } = mergeTasks(
      [here('T007', 'Old'), here('T-009', 'Older')],
      [
        named('la-2mf.1', 'Bead'),
        nameless('#1', 'One'),
        nameless('#2', 'Two'),
        named('a b', 'Odd'),
        named('../x', 'Odder'),
        named('T007', 'Other'),
        named('main', 'Oddest'),
      ],
    )
    expect(added.map(({ id }) => id)).toEqual(['la-2mf.1', 'T010', 'T011', 'T012', 'T013', 'T014', 'T015'])
    expect(notes).toEqual([
      'a b becomes T012: such an id cannot be used',
      '../x becomes T013: such an id cannot be used',
      'T007 becomes T014: another task has that id',
      'main becomes T015: such an id cannot be used',
    ])
  })

  test('of parts are below that of the whole', () => {
    const { added } = mergeTasks(
      [],
      [
        nameless('#1', 'Whole', { dependsOn: ['#1#1', '#1#2'] }),
        nameless('#1#1', 'Part', { parent: '#1' }),
        nameless('#1#2', 'Other', { parent: '#1' }),
        nameless('#1#2#1', 'Deep', { parent: '#1#2' }),
      ],
    )
    expect(added.map(({ id, dependsOn, parent }) => [id, dependsOn, parent])).toEqual([
      ['T001', ['T001.1', 'T001.2'], null],
      ['T001.1', [], 'T001'],
      ['T001.2', [], 'T001'],
      ['T001.2.1', [], 'T001.2'],
    ])
  })
})

describe('what is there already', () => {
  test.each([
    ['by its title', [here('T001', 'Add `login`')], nameless('#1', 'add  **login**')],
    ['by its id', [here('la-1', 'Renamed here')], named('la-1', 'Add login')],
    ['by a common id and its title', [here('T001', 'Add login')], named('T001', 'Add login')],
    ['by its title under another id', [here('T014', 'Add login'), here('T001', 'Other')], named('T001', 'Add login')],
  ])('is known %s', (_, existing, task) => {
    expect(mergeTasks(existing, [task])).toMatchObject({ added: [], closed: [], notes: [] })
  })

  test('is not taken for another with the same number', () => {
    expect(mergeTasks([here('1', 'Something else')], [named('1', 'Add login')]).added.map(({ id }) => id)).toEqual([
      'T001',
    ])
  })

  test('is waited for under its own id', () => {
    const { added } = mergeTasks(
      [here('T005', 'One')],
      [nameless('#1', 'One'), nameless('#2', 'Two', { dependsOn: ['#1'] })],
    )
    expect(added.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([['T006', ['T005']]])
  })

  test('is closed when it was closed elsewhere, and never opened again', () => {
    const existing = [
      here('T001', 'One'),
      here('T002', 'Two', { status: 'done' }),
      here('T003', 'Three', { status: 'doing' }),
      here('T004', 'Four'),
    ]
    const { closed, unchanged } = mergeTasks(existing, [
      nameless('#1', 'One', { status: 'done' }),
      nameless('#2', 'Two'),
      nameless('#3', 'Three', { status: 'cancelled', reason: 'no need' }),
      nameless('#4', 'Four', { status: 'doing' }),
    ])
    expect(closed.map(({ id, task }) => [id, task.status, task.reason])).toEqual([
      ['T001', 'done', null],
      ['T003', 'cancelled', 'no need'],
    ])
    expect(unchanged).toEqual(['T002', 'T004'])
  })

  test('may be there twice, with one for each', () => {
    const twice = [nameless('#1', 'Write tests'), nameless('#2', 'Write tests')]
    expect(mergeTasks([], twice).added).toHaveLength(2)
    expect(mergeTasks([here('T001', 'Write tests')], twice).added).toHaveLength(1)
    expect(mergeTasks([here('T001', 'Write tests'), here('T002', 'Write tests')], twice).added).toHaveLength(0)
  })
})

test('refuses tasks that wait for each other', () => {
  expect(() => mergeTasks([], [named('a', 'A', { dependsOn: ['b'] }), named('b', 'B', { dependsOn: ['a'] })])).toThrow(
    expect.objectContaining({ code: 'CONFIG_BACKLOG', message: 'the tasks wait for each other: a → b → a' }),
  )
})

test('made twice is made once, whatever was there', () => {
  const title = fc.constantFrom('Add login', 'add login', 'Log out', 'Reset', 'Écrire', 'x')
  const existing = fc
    .uniqueArray(fc.record({ id: fc.constantFrom('T001', 'T2', '1', 'la-1', 't001.1'), title }), {
      selector: ({ id }) => id.toLowerCase(),
    })
    .map((tasks) => tasks.map((task) => here(task.id, task.title)))
  const imported = fc
    .uniqueArray(
      fc.record({
        id: fc.constantFrom('T001', 'T1', '1', '2', 'la-1', 'la-2', '#1', '#2', '#1#1', 'odd id'),
        title,
        status: fc.constantFrom('todo', 'done', 'doing'),
      }),
      { selector: ({ id }) => id },
    )
    .map((tasks) =>
      tasks.map((task, index) =>
        importedTask({
          ...task,
          named: !task.id.startsWith('#'),
          dependsOn: tasks
            .slice(0, index)
            .filter((_, n) => n % 2 === 0)
            .map(({ id }) => id),
        }),
      ),
    )
  fc.assert(
    fc.property(existing, imported, (before, tasks) => {
      const once = after(before, tasks)
      expect(new Set(once.map(({ id }) => id.toLowerCase())).size).toBe(once.length)
      expect(once.every(({ dependsOn }) => dependsOn.every((id) => once.some((task) => task.id === id)))).toBe(true)
      expect(after(once, tasks)).toEqual(once)
    }),
    { numRuns: tries(2_000) },
  )
})
