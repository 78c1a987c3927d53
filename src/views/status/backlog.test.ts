import { expect, test } from 'vitest'
import type { BacklogTask } from './backlog.ts'
import { backlogText, sortBacklog } from './backlog.ts'
import { ansiPaint } from '../text/paint.ts'

const task = (id: string, overrides: Partial<BacklogTask> = {}): BacklogTask => ({
  id,
  title: `Title of ${id}`,
  status: 'todo',
  priority: 3,
  dependsOn: [],
  reason: null,
  type: null,
  criteria: [],
  files: [],
  ...overrides,
})

const tasks = [
  task('T10'),
  task('T9'),
  task('T8', { priority: 1, dependsOn: ['T1', 'T2'] }),
  task('T7', { status: 'cancelled', reason: 'not\nwanted', priority: 1 }),
  task('T6', { status: 'blocked', reason: 'no key', priority: 2 }),
  task('T5', { status: 'blocked', priority: 1 }),
  task('T4', { status: 'done', priority: 1 }),
  task('T3', { status: 'done', priority: 9 }),
  task('T2', { status: 'doing', priority: 1 }),
  task('T1', { status: 'doing', priority: 9 }),
]

test('D3: lists running tasks by id, then waiting ones by priority and id, then ended ones', () => {
  const order = ['T1', 'T2', 'T8', 'T9', 'T10', 'T5', 'T6', 'T3', 'T4', 'T7']
  expect(sortBacklog(tasks).map(({ id }) => id)).toEqual(order)
  expect(sortBacklog(tasks.toReversed()).map(({ id }) => id)).toEqual(order)
  expect(sortBacklog(tasks, 'blocked').map(({ id }) => id)).toEqual(['T5', 'T6'])
})

test('for people', () => {
  expect(backlogText(sortBacklog(tasks))).toBe(`● T1   Title of T1
● T2   Title of T2
○ T8   Title of T8   priority 1 · after T1, T2
○ T9   Title of T9   priority 3
○ T10  Title of T10  priority 3
⏸ T5   Title of T5   priority 1
⏸ T6   Title of T6   priority 2
    no key
✓ T3   Title of T3
✓ T4   Title of T4
– T7   Title of T7
    not wanted

2 doing · 3 todo · 2 blocked · 2 done · 1 cancelled
`)
  expect(backlogText([])).toBe('No tasks.\n')
})

test('text from a file cannot move the cursor', () => {
  const hostile = task('T\u001B[2J', {
    title: 'a\u001B]0;x\u0007b\r\u202E',
    dependsOn: ['\u009B1A'],
    reason: 'x\u001B[1A',
    status: 'blocked',
  })
  expect(backlogText([hostile])).toBe('⏸ T  ab  priority 3 · after\n    x\n\n1 blocked\n')
  expect(backlogText([hostile], ansiPaint)).not.toMatch(/\u001B(?!\[[\d;]*m)|[\u0007\r\u009B\u202E]/)
})
