import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { permissionNames } from '../../model/permission.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { tamperKinds, type TamperFinding } from '../../model/tamper.ts'
import { baseConfig } from '../../../test/kit/play.ts'
import { initialState } from '../initial.ts'
import { addTask } from '../tasks/task-graph.ts'
import { allowedByPlanner, askedOf, unasked } from './asked-for.ts'
import { isAllowed, permissionFor, permissionsFor } from './permission.ts'

const stateWith = (goal: string): RunState => Object.assign(initialState(), { goal, config: baseConfig() })
const add = (state: RunState, origin: string, { granted, ...more }: Partial<TaskState> & { id: string }): TaskState => {
  const spec = {
    title: 'Faster',
    description: '',
    complexity: 'simple',
    type: null,
    dependsOn: [],
    criteria: [],
  } as const
  const rest = { checks: [], files: [], priority: 1, parent: null, depth: 0 }
  addTask(state, { ...spec, ...rest, dependsOn: [], criteria: [], ...more }, origin)
  const task = state.tasks[more.id] as TaskState
  return granted ? Object.assign(task, { granted }) : task
}
const found = (file: string, kind: TamperFinding['kind'] = 'test-deleted'): TamperFinding => ({
  kind,
  file,
  test: null,
  detail: '',
})
const isOpen = (goal: string, origin: string, task: Partial<TaskState>, file = 'test/a.ts'): boolean => {
  const state = stateWith(goal)
  return unasked(askedOf(state, add(state, origin, { id: 'T1', ...task })), [found(file)]).length > 0
}
const words = 'Remove the old tests'
const [plan, person, source, coder, split] = ['plan/r0', 'command/1', 'source', 'T9/a1/implement', 'T9/split3']

describe('what permits the removal of a test', () => {
  test.each<[string, boolean, string, string, Partial<TaskState>]>([
    ['the words of a planner', false, 'do it', plan, { title: words }],
    ['the words of a person', true, 'do it', person, { title: words }],
    ['the words of a backlog', true, 'do it', source, { title: words }],
    ['the words of an agent in a backlog', false, 'do it', source, { title: words, byAgent: true }],
    ['the words of a coder', false, 'do it', coder, { title: words }],
    ['the words of a planner that splits', false, 'do it', split, { title: words }],
    ['the words of a review of the backlog', false, 'do it', 'backlog/review1', { title: words }],
    ['the goal, for a planned task', true, words, plan, {}],
    ['the goal, for a task that a coder found', false, words, coder, {}],
    [
      'the goal, beside a field of the planner for another place',
      false,
      words,
      plan,
      { allows: ['remove-tests:b/**'] },
    ],
    ['the field of a planner', true, 'do it', plan, { allows: ['remove-tests:test/**'] }],
    ['the field of a planner for another place', false, 'do it', plan, { allows: ['remove-tests:b/**'] }],
    ['the field of a planner for something else', false, 'do it', plan, { allows: ['skip-tests'] }],
    ['the field of a backlog', true, 'do it', source, { allows: ['remove-tests'] }],
    ['words beside a field for another place', false, 'do it', source, { title: words, allows: ['remove-tests:b'] }],
    ['the field of a coder', false, 'do it', coder, { allows: ['remove-tests'] }],
    ['the answer of a person, also to a coder', true, 'do it', coder, { granted: ['remove-tests:test/a.ts'] }],
  ])('%s: %s', (_what, allowed, goal, origin, task) => expect(isOpen(goal, origin, task)).toBe(!allowed))

  test('a split part has the permissions of the whole task', () => {
    const state = stateWith('do it')
    add(state, person, { id: 'T1', title: words })
    const part = add(state, 'T1/split3', { id: 'T1.1', parent: 'T1' })
    expect(unasked(askedOf(state, part), [found('a')])).toEqual([])
  })

  test("Looper's own settings need a person who names them", () => {
    const file = '.looper/config.json'
    const open = (origin: string, allows: string[]): boolean => {
      const state = stateWith('do it')
      const asked = askedOf(state, add(state, origin, { id: 'T1', allows }))
      return unasked(asked, [found(file, 'check-changed')]).length > 0
    }
    expect(open(person, ['change-checks'])).toBe(true)
    expect(open(person, ['change-checks:**'])).toBe(true)
    expect(open(person, ['change-checks:.looper/config.json'])).toBe(false)
    expect(open(plan, ['change-checks:.looper/config.json'])).toBe(true)
  })

  test('knows what only the planner allows', () => {
    const state = stateWith('do it')
    const asked = askedOf(state, add(state, plan, { id: 'T1', allows: ['remove-tests:a'] }))
    expect(allowedByPlanner(asked, [found('a'), found('b')])).toEqual([found('a')])
    const own = askedOf(state, add(state, person, { id: 'T2', allows: ['remove-tests:a'] }))
    expect(allowedByPlanner(own, [found('a')])).toEqual([])
  })
})

const phrase = fc.constantFrom(
  words,
  'Skip the flaky tests',
  'Lower the coverage threshold',
  'Update the snapshots',
  'Relax the assertions',
  'Remove CI',
  'Change the lint configuration',
  'Revert "Add x"',
  'You may remove all tests.',
)
const finding = fc.record({
  kind: fc.constantFrom(...tamperKinds),
  file: fc.constantFrom('a.test.ts', 'test/b.test.ts', 'check.sh', '.looper/config.json'),
  test: fc.constant(null),
  detail: fc.constant(''),
})

test('text of an agent permits nothing', () => {
  const origins = fc.constantFrom('plan/r0', 'plan/r3', coder, 'T1.2/a3/fix1', split, 'backlog/review2', 'scaffold')
  const texts = fc.record({ title: phrase, description: phrase, criteria: fc.array(phrase, { maxLength: 2 }) })
  fc.assert(
    fc.property(origins, texts, fc.array(finding, { minLength: 1 }), (origin, task, findings) => {
      const state = stateWith('do it')
      const files = findings.map(({ file }) => file)
      const asked = askedOf(state, add(state, origin, { id: 'T1', ...task, files }))
      expect(unasked(asked, findings)).toEqual(findings)
    }),
  )
})

test('a permission allows its own kinds only, and the requested permission allows the change', () => {
  fc.assert(
    fc.property(finding, fc.constantFrom(...permissionNames), (one, name) => {
      const isSetting = one.file.startsWith('.looper/')
      expect(isAllowed([name], one)).toBe(permissionFor[one.kind] === name && !isSetting)
      expect(isAllowed([`${name}:other/**`], one)).toBe(false)
      expect(isAllowed(permissionsFor([one]), one)).toBe(true)
    }),
  )
})
