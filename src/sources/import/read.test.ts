import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LooperError } from '../../model/error.ts'
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

  test('brings its tasks, their order and what tells that they are done', () => {
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
  test('brings the request of a workflow, and tells what stays behind', () => {
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
      { numRuns: 3_000 },
    )
  })
})
