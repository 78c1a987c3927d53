import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { z } from 'zod'
import { fits } from '../../schema/fits.ts'
import { rootSpec, taskFields } from './fields.ts'
import { todoJsonSchema } from './json-schema.ts'

const schema = z.fromJSONSchema(todoJsonSchema())
const accepts = (value: unknown): boolean => schema.safeParse(value).success
const isRight = (value: unknown): boolean => fits(rootSpec, value)
const withTask = (task: unknown): unknown => ({ tasks: [task] })
const T1 = { id: 'T1', title: 'x' }

describe('D1: to-do.schema.json', () => {
  test('is what the table of fields yields (vitest -u writes it)', async () => {
    await expect(`${JSON.stringify(todoJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
      '../../../schemas/to-do.schema.json',
    )
  })

  test('takes the documented file', () => {
    const documented = {
      schema_version: 1,
      project: { name: 'Project Name', root: '.' },
      source_files: ['README.md'],
      tasks: [
        {
          id: 'T001',
          title: 'Task title',
          description: 'Detailed description',
          reference: 'path/to/relevant/files',
          priority: 1,
          status: 'todo',
          details: 'Implementation notes',
          steps: ['Step 1', 'Step 2'],
          blockers: ['Blocking issue'],
          tags: ['category', 'feature'],
          files: ['file1.go', 'file2.go'],
          depends_on: ['T002'],
          created_at: '2024-01-01T00:00:00Z',
          updated_at: '2024-01-01T00:00:00Z',
        },
      ],
    }
    expect([accepts(documented), isRight(documented)]).toEqual([true, true])
    expect(Object.keys(taskFields)).toEqual(expect.arrayContaining(Object.keys(documented.tasks[0]!)))
  })

  test.each<[unknown, boolean]>([
    [{ tasks: [] }, true],
    [{ tasks: [], more: { of: 'that' }, $schema: './to-do.schema.json' }, true],
    [withTask({ ...T1, color: 'red', status: 'in_progress', priority: null, steps: null }), true],
    [withTask({ ...T1, status: 'skipped', reason: 'not wanted' }), true],
    [{ tasks: [], schema_version: 1, completed: { at: 'now', run: '001-x' } }, true],
    [{}, false],
    [[], false],
    [null, false],
    [{ tasks: null }, false],
    [{ tasks: {} }, false],
    [{ tasks: [], schema_version: 2 }, false],
    [{ tasks: [], schema_version: '1' }, false],
    [{ tasks: [], project: 'x' }, false],
    [{ tasks: [], project: { name: 1 } }, false],
    [{ tasks: [], source_files: ['a', 1] }, false],
    [withTask('T1'), false],
    [withTask([]), false],
    [withTask({ title: 'x' }), false],
    [withTask({ id: 'T1' }), false],
    [withTask({ ...T1, id: 1 }), false],
    [withTask({ ...T1, id: '' }), false],
    [withTask({ ...T1, id: ' T1' }), false],
    [withTask({ ...T1, id: 'T1\n' }), false],
    [withTask({ ...T1, id: 'T\u0000' }), false],
    [withTask({ ...T1, id: 'T'.repeat(101) }), false],
    [withTask({ ...T1, id: 'T'.repeat(100) }), true],
    [withTask({ ...T1, id: 'a task' }), true],
    [withTask({ ...T1, title: ' \n' }), false],
    [withTask({ ...T1, title: null }), false],
    [withTask({ ...T1, priority: 1.5 }), false],
    [withTask({ ...T1, priority: -1 }), false],
    [withTask({ ...T1, priority: '1' }), false],
    [withTask({ ...T1, status: 'TODO' }), false],
    [withTask({ ...T1, status: 'failed' }), false],
    [withTask({ ...T1, steps: 'one' }), false],
    [withTask({ ...T1, depends_on: [2] }), false],
  ])('and the validation agree about %j', (value, right) => {
    expect([accepts(value), isRight(value)]).toEqual([right, right])
  })

  test('and the validation agree about anything', () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>(null, true, 0, 1, -1, 1.5, '', ' ', 'T1', 'todo', 'done', 'é\u0085', [], {}, ['a'], [1]),
      fc.string(),
    )
    const task = fc.dictionary(fc.constantFrom(...Object.keys(taskFields), 'else', '__proto__', 'constructor'), value, {
      maxKeys: 5,
    })
    const given = fc.tuple(task, fc.boolean()).map(([fields, whole]) => withTask(whole ? { ...T1, ...fields } : fields))
    fc.assert(
      fc.property(given, (document) => {
        expect(accepts(document)).toBe(isRight(document))
      }),
      { numRuns: tries(2_000) },
    )
  })
})
