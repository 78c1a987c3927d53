import { describe, expect, test } from 'vitest'
import { readTasks, type ReadFile } from './read.ts'

const read = (value: unknown, label?: string): ReadFile =>
  readTasks(typeof value === 'string' ? value : JSON.stringify(value, null, 2), { name: 'file', label })
const inShort = ({ tasks }: ReadFile): unknown[] =>
  tasks.map(({ id, title, status, dependsOn }) => [id, title, status, dependsOn])

describe('claude-looper (D2)', () => {
  const task = (id: string, description: string, status: string, more: object = {}): object => ({
    id,
    description,
    status,
    attempts: 1,
    maxAttempts: 3,
    parentGoalId: 'goal-1',
    parentTaskId: null,
    subtasks: [],
    createdAt: 1_767_010_943_576,
    metadata: {},
    ...more,
  })
  const state = (...tasks: object[]): object => ({
    version: 3,
    timestamp: 1_767_010_943_629,
    workflow: { active: true, name: 'default-workflow', goal: 'Add auth' },
    eventLog: [],
    invocations: [],
    agents: {
      supervisor: { name: 'supervisor', model: 'opus', state: {}, tools: [], memory: [], goals: [], tasks: [] },
      planner: {
        name: 'planner',
        model: 'opus',
        goals: [{ id: 'goal-1', description: 'Add auth', status: 'active' }],
        tasks,
      },
    },
  })

  test('brings its tasks, their order and what says that they are done', () => {
    const reading = read(
      state(
        task('task-1-a', 'Task 1: Setup', 'completed', {
          metadata: { complexity: 'simple', verificationCriteria: ['npm test passes'] },
        }),
        task('task-2-b', 'Task 2: Implementation\nwith more words', 'in_progress', {
          metadata: { complexity: 'complex', dependencies: [0] },
        }),
        task('task-3-c', 'Task 3: Docs', 'failed', { metadata: { dependencies: [0, 1, 9] } }),
      ),
    )
    expect(reading.format).toBe('claude-looper')
    expect(inShort(reading)).toEqual([
      ['task-1-a', 'Task 1: Setup', 'done', []],
      ['task-2-b', 'Task 2: Implementation', 'doing', ['task-1-a']],
      ['task-3-c', 'Task 3: Docs', 'todo', ['task-1-a', 'task-2-b']],
    ])
    expect(reading.tasks[0]).toMatchObject({ criteria: ['npm test passes'], tags: ['simple'], named: true })
    expect(reading.tasks[1]?.description).toBe('Task 2: Implementation\nwith more words')
    expect(reading.notes).toEqual(['task-3-c had failed: it will be tried again'])
  })

  test('replaces a dependency on a split task by its parts', () => {
    const part = (id: string, parent: string, more: object = {}): object =>
      task(id, `Part ${id}`, 'pending', { parentTaskId: parent, ...more })
    const reading = read(
      state(
        task('a', 'Big', 'blocked', { subtasks: ['a1', 'a2'] }),
        task('b', 'After', 'pending', { metadata: { dependencies: [0] } }),
        part('a1', 'a'),
        part('a2', 'a', { status: 'blocked', subtasks: ['a21'] }),
        part('a21', 'a2'),
        task('c', 'Stuck', 'blocked'),
      ),
    )
    expect(inShort(reading)).toEqual([
      ['b', 'After', 'todo', ['a1', 'a21']],
      ['a1', 'Part a1', 'todo', []],
      ['a21', 'Part a21', 'todo', []],
      ['c', 'Stuck', 'todo', []],
    ])
    expect(reading.notes).toEqual(['a was replaced by a1, a2', 'a2 was replaced by a21'])
  })
})

describe('loop and loop-agents', () => {
  test('brings the request of a workflow, and reports what stays behind', () => {
    const reading = read({
      version: 1,
      stage: 'executing',
      task: 'Add validation to auth',
      spec_score: 7,
      fit_score: 35,
      shape_chosen: 'tool-review',
      started_at: '2026-02-05T10:00:00Z',
      recall_surfaced: ['auth edge cases'],
      reviews: { wave_1: { score: 8, issues: 2, blockers: 0 }, thorough: { passed: false, blockers_remaining: 1 } },
    })
    expect([reading.format, ...inShort(reading)]).toEqual([
      'workflow state',
      ['#1', 'Add validation to auth', 'todo', []],
    ])
    expect(reading.notes).toEqual([
      'its tasks are in a task list of Claude Code: `looper import --claude` imports them',
      'scores are not carried over: spec_score 7, fit_score 35',
      'recalled learnings are not carried over: auth edge cases',
      'its review thorough left 1 blockers open',
    ])
    expect(inShort(read({ version: 1, stage: 'complete', task: 'Done it' }))).toEqual([['#1', 'Done it', 'done', []]])
  })

  test('brings the stages of a pipeline, one after the other', () => {
    const reading = read({
      session: 'auth',
      type: 'pipeline',
      started_at: '2025-01-10T10:00:00Z',
      status: 'running',
      current_stage: 1,
      iteration: 5,
      iteration_completed: 4,
      history: [],
      stages: [
        { index: 0, name: 'plan', status: 'complete', timestamp: '2025-01-10T10:00:00Z' },
        { index: 1, name: 'beads', status: 'running' },
        { index: 2, name: 'x', status: '?' },
      ],
    })
    expect([reading.format, reading.session]).toEqual(['pipeline run', 'auth'])
    expect(inShort(reading)).toEqual([
      ['#1', 'Stage plan of auth', 'done', []],
      ['#2', 'Stage beads of auth', 'doing', ['#1']],
      ['#3', 'Stage x of auth', 'todo', ['#2']],
    ])
    expect(reading.notes.join('\n')).toMatch(
      /status "\?" is unknown[^]*looper import --beads --label loop\/auth[^]*4 were complete/,
    )
    expect(
      read({ session: 'auth', iteration: 5, iteration_completed: 4, status: 'running', history: [{ plateau: false }] }),
    ).toMatchObject({ tasks: [], session: 'auth' })
  })
})

describe('Claude Code (B13)', () => {
  test('brings a list of tasks', () => {
    const reading = read([
      {
        id: '1',
        subject: 'Add import',
        description: 'To src/auth.ts',
        activeForm: 'Adding',
        status: 'completed',
        blocks: ['2'],
        blockedBy: [],
        metadata: { wave: 1 },
      },
      {
        id: '2',
        subject: 'Use it',
        description: '',
        status: 'pending',
        blocks: [],
        blockedBy: ['1', '9'],
        owner: 'worker',
      },
      { id: '3', subject: 'Gone', status: 'deleted' },
      { id: '4', subject: 'Odd', status: 'dreaming' },
    ])
    expect(reading.format).toBe('claude tasks')
    expect(inShort(reading)).toEqual([
      ['1', 'Add import', 'done', []],
      ['2', 'Use it', 'todo', ['1']],
    ])
    expect(reading.tasks[0]?.tags).toEqual(['wave-1'])
    expect(reading.notes).toEqual(['number 4 is not a task: it needs a subject and a known status'])
  })

  test('brings one task, and the older to-do lists', () => {
    expect(inShort(read({ id: '7', subject: 'One', status: 'in_progress', blocks: [], blockedBy: [] }))).toEqual([
      ['7', 'One', 'doing', []],
    ])
    const todos = read([
      { content: 'Write it', status: 'in_progress', activeForm: 'Writing', priority: 'high', id: '1' },
      { content: 'Test it', status: 'pending' },
    ])
    expect([todos.format, ...inShort(todos)]).toEqual([
      'claude to-dos',
      ['#1', 'Write it', 'doing', []],
      ['#2', 'Test it', 'todo', []],
    ])
  })
})

describe('to-do.json of looper-go (D1)', () => {
  test('brings all that a coder should read', () => {
    const reading = read({
      schema_version: 1,
      project: { name: 'x', root: '.' },
      source_files: ['README.md'],
      tasks: [
        {
          id: 'T001',
          title: 'One',
          description: 'What',
          reference: 'docs/',
          priority: 1,
          status: 'blocked',
          details: 'How',
          steps: ['a', 'b'],
          blockers: ['no key', 'no door'],
          tags: ['x'],
          files: ['a.go'],
          depends_on: ['T002', 'T009'],
          created_at: '2024-01-01T00:00:00Z',
        },
        { id: 'T002', title: 'Two', priority: 1, status: 'done' },
        { title: 'Nameless', status: 'in-progress' },
        { id: 'T002', title: 'Again', status: 'skipped', reason: 'no need' },
        { id: 'T005', status: 'todo' },
        7,
      ],
    })
    expect(reading.format).toBe('to-do.json')
    expect(inShort(reading)).toEqual([
      ['T001', 'One', 'blocked', ['T002']],
      ['T002', 'Two', 'done', []],
      ['#3', 'Nameless', 'doing', []],
      ['#again4', 'Again', 'cancelled', []],
    ])
    expect(reading.tasks[0]).toMatchObject({
      description: 'What\n\nHow\n\nSteps:\n1. a\n2. b\n\nSee: docs/',
      reason: 'no key; no door',
      priority: 1,
      files: ['a.go'],
      tags: ['x'],
    })
    expect(reading.notes).toEqual([
      'number 5 is not a task: it needs a title',
      'number 6 is not a task: it needs a title',
      'T001 no longer waits for T009, which is not among the tasks',
      'T002 is the id of two tasks: "Again" gets another',
    ])
  })
})

describe('plans', () => {
  test.each(['[Plan](x.md)\n\n- [ ] One', '[ ] no\n- [ ] One', '- [ ] One'])(
    '%j is one, whatever it begins with',
    (text) => {
      expect([read(text).format, ...inShort(read(text))]).toEqual(['plan', ['#1', 'One', 'todo', []]])
    },
  )
})
