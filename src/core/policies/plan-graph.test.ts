import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TaskAnswer } from '../../model/results.ts'
import { accepted, findCycle, planGraph, type PlanOptions } from './plan-graph.ts'

const task = (id: string | undefined, dependsOn: string[] = [], more: Partial<TaskAnswer> = {}): TaskAnswer => ({
  id,
  title: 't',
  description: '',
  complexity: 'medium',
  type: null,
  dependsOn,
  criteria: [],
  checks: [],
  files: [],
  priority: null,
  ...more,
})
const options: PlanOptions = {
  exists: () => false,
  parent: null,
  depth: 0,
  keepIds: true,
  name: (index) => `T${String(index).padStart(3, '0')}`,
}
const ids = (...tasks: TaskAnswer[]): string[] => {
  const graph = planGraph(tasks, options)
  return graph.ok ? graph.tasks.map(({ id }) => id) : graph.errors
}

describe('A2: ids', () => {
  test('valid ids are kept, missing ones are numbered by position', () => {
    expect(ids(task('api'), task(undefined), task('T009'), task('  db '))).toEqual(['api', 'T002', 'T009', 'db'])
  })

  test.each([
    '../../x',
    'a/b',
    '.hidden',
    'a b',
    'a\nb',
    '\u001B[31mred',
    '',
    'x'.repeat(99),
    '-rf',
    'main',
    'GATE',
    'a..b',
    '__proto__',
    'é',
  ])('%j is not let through', (id) => {
    expect(ids(task(id))).toEqual(['T001'])
  })

  test('dependencies follow the renaming', () => {
    const graph = planGraph([task('../a'), task('b', ['../a'])], options)
    expect(graph.ok && graph.tasks[1]?.dependsOn).toEqual(['T001'])
  })

  test('ids that differ only in case would share a folder on some disks', () => {
    expect(ids(task('Api'), task('api'))).toEqual(['Api', 'T002'])
  })
})

describe('A2: what makes a plan invalid', () => {
  test('two tasks with one id', () => expect(ids(task('a'), task('a'))).toEqual(['two tasks have the id "a"']))
  test('an unknown dependency', () =>
    expect(ids(task('a', ['zzz']))).toEqual(['task "a" depends on "zzz", which does not exist']))
  test('a dependency cycle', () =>
    expect(ids(task('a', ['c']), task('b', ['a']), task('c', ['b']))[0]).toMatch(/circle: \w → \w → \w → \w$/))
  test('a task that depends on itself', () => expect(ids(task('a', ['a']))[0]).toContain('a → a'))
})

test('a cycle is found exactly when there is one', () => {
  const edges = fc
    .integer({ min: 1, max: 12 })
    .chain((size) =>
      fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 30 }).map((pairs) => ({ size, pairs })),
    )
  fc.assert(
    fc.property(edges, ({ size, pairs }) => {
      const tasks = Array.from({ length: size }, (_, at) => ({
        id: `n${at}`,
        dependsOn: pairs.filter(([from]) => from === at).map(([, to]) => `n${to}`),
      }))
      const reach = (from: string, seen = new Set<string>()): Set<string> => {
        for (const next of tasks.find(({ id }) => id === from)?.dependsOn ?? [])
          if (!seen.has(next)) reach(next, seen.add(next))
        return seen
      }
      expect(findCycle(tasks) !== null).toBe(tasks.some(({ id }) => reach(id).has(id)))
    }),
  )
})

test('a chain of 10,000 tasks is valid', () => {
  const tasks = Array.from({ length: 10_000 }, (_, at) => ({ id: `n${at}`, dependsOn: at === 0 ? [] : [`n${at - 1}`] }))
  expect(findCycle(tasks)).toBeNull()
})

test('an invalid graph of an accepted answer is a bug, not an empty plan', () => {
  expect(accepted(planGraph([task('a')], options)).tasks).toHaveLength(1)
  expect(() => accepted(planGraph([task('a', ['b'])], options))).toThrow(
    expect.objectContaining({ code: 'BUG_INVARIANT', message: expect.stringContaining('depends on "b"') }),
  )
})
