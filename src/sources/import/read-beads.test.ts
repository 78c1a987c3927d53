import { describe, expect, test } from 'vitest'
import { readTasks, type ReadFile } from './read.ts'

const read = (value: unknown, label?: string): ReadFile =>
  readTasks(typeof value === 'string' ? value : JSON.stringify(value, null, 2), { name: 'file', label })
const inShort = ({ tasks }: ReadFile): unknown[] =>
  tasks.map(({ id, title, status, dependsOn }) => [id, title, status, dependsOn])

describe('beads (C9)', () => {
  const issues = [
    {
      _type: 'issue',
      id: 'la-2mf',
      title: 'Epic',
      status: 'open',
      priority: 1,
      issue_type: 'epic',
      created_at: '2026-01-12T03:20:16-06:00',
      labels: ['loop/auth'],
    },
    {
      id: 'la-2mf.1',
      title: 'Part',
      description: 'Do it',
      acceptance_criteria: '- [ ] it works\n- [ ] it is fast',
      status: 'in_progress',
      priority: 0,
      issue_type: 'task',
      created_at: '2026-01-12T03:20:16-06:00',
      labels: ['loop/auth', 'x'],
      dependencies: [
        { issue_id: 'la-2mf.1', depends_on_id: 'la-2mf', type: 'parent-child' },
        { issue_id: 'la-2mf.1', depends_on_id: 'la-03j', type: 'blocks' },
      ],
    },
    {
      id: 'la-03j',
      title: 'Bug',
      status: 'closed',
      priority: 3,
      issue_type: 'bug',
      created_at: '2026-01-12T22:48:09-06:00',
      close_reason: 'Fixed',
      labels: ['bugs'],
    },
    {
      id: 'la-zy2',
      title: 'Deleted',
      status: 'tombstone',
      priority: 2,
      issue_type: 'task',
      created_at: '2026-01-13T09:55:40+01:00',
      deleted_at: '2026-01-13T09:56:16+01:00',
    },
    { _type: 'memory', key: 'k', value: 'v' },
  ]
  const lines = issues.map((issue) => JSON.stringify(issue)).join('\n')

  test('brings an export, one issue a line', () => {
    const reading = read(`${lines}\n\n`)
    expect(reading.format).toBe('beads')
    expect(inShort(reading)).toEqual([
      ['la-2mf', 'Epic', 'todo', ['la-2mf.1']],
      ['la-2mf.1', 'Part', 'doing', ['la-03j']],
      ['la-03j', 'Bug', 'done', []],
    ])
    expect(reading.tasks[1]).toMatchObject({
      criteria: ['it works', 'it is fast'],
      priority: 1,
      tags: ['loop/auth', 'x'],
      type: 'task',
      parent: 'la-2mf',
    })
    expect(reading.notes).toEqual([
      '1 memories are not carried over',
      '1 issues are left out: deleted, pinned, no work',
    ])
  })

  test('brings what bd prints, and only what bears a label', () => {
    expect(inShort(read(issues.slice(0, 3)))).toHaveLength(3)
    expect(inShort(read({ schema_version: 1, data: issues.slice(0, 3) }))).toHaveLength(3)
    const reading = read(lines, 'loop/auth')
    expect(inShort(reading)).toEqual([
      ['la-2mf', 'Epic', 'todo', ['la-2mf.1']],
      ['la-2mf.1', 'Part', 'doing', []],
    ])
    expect(reading.notes).toContain('la-2mf.1 no longer waits for la-03j, which is not among the tasks')
  })

  test('brings an issue that is the only one', () => {
    expect(inShort(read(issues[2]))).toEqual([['la-03j', 'Bug', 'done', []]])
  })
})
