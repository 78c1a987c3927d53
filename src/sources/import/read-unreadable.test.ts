import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { LooperError } from '../../model/error.ts'
import { readTasks, type ReadFile } from './read.ts'

const read = (value: unknown, label?: string): ReadFile =>
  readTasks(typeof value === 'string' ? value : JSON.stringify(value, null, 2), { name: 'file', label })

describe('a file that cannot be read is reported in one line, with its position', () => {
  test.each([
    ['', 'it is empty'],
    ['# Plan\n\nNo boxes.', 'it has no check boxes (- [ ] …)'],
    ['{\n  "tasks": [\n    {"id": "T1" "title": "x"}\n  ]\n}', 'line 3, column 17: expected "," or "}", found "\\""'],
    ['{"tasks": [', 'line 1, column 12: expected a value, found end of file'],
    ['{}', 'it contains no tasks that Looper can read'],
    ['[]', 'it is an empty list'],
    ['[1, 2]', 'it contains no tasks that Looper can read'],
    ['{"tasks": [{"id": 1}]}', 'it contains no tasks that Looper can read'],
    [
      '{"id":"a-1","title":"x","issue_type":"bug"}\n{"id":"a-2","title":\n',
      'line 2, column 21: expected a value, found end of file',
    ],
    ['{"id":"a-1","title":"x","issue_type":"bug"}\n{"x":1}\n', 'line 2: that is not an issue of beads'],
    ['\u0000\u0001', 'it has no check boxes (- [ ] …)'],
  ])('%j', (text, why) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_BACKLOG',
        message: `file: ${why}`,
        hint: expect.stringMatching(why.includes('column') ? /^Fix the file/ : /^Looper reads/),
      }),
    )
  })

  test('however it looks', () => {
    const shape = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(
          fc.constantFrom(
            'id',
            'title',
            'subject',
            'status',
            'tasks',
            'agents',
            'planner',
            'description',
            'dependencies',
            'depends_on_id',
            'type',
            'stage',
            'task',
            'session',
            'stages',
            'history',
            'metadata',
            'looper',
            'blockedBy',
            'content',
            'issue_type',
            '_type',
            'data',
            'schema_version',
            'name',
            'subtasks',
            'priority',
            'labels',
            '__proto__',
          ),
          tie('value'),
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.constantFrom('pending', 'open', 'blocked', 'executing', 'parent-child', 'a', 'issue'),
      ),
    }))
    fc.assert(
      fc.property(shape.value, (value) => {
        try {
          const { tasks } = read(value)
          expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
          for (const { title, dependsOn } of tasks)
            expect([title.trim() === '', dependsOn.every((id) => tasks.some((task) => task.id === id))]).toEqual([
              false,
              true,
            ])
        } catch (error) {
          if (!(error instanceof LooperError)) throw error
          expect(error.message).not.toContain('\n')
        }
      }),
      { numRuns: tries(3_000) },
    )
  })
})
