/** Input as it should be, of every kind: where hostile input starts from. */
import fc from 'fast-check'
import type { ResultShape } from '../../src/model/purposes.ts'
import { text } from './hostile.ts'

const some: { requiredKeys: [] } = { requiredKeys: [] }
const title = fc.string({ minLength: 1, maxLength: 20 })
const ids = ['T001', 'T002', 'T003', 'T004', 'T005'] as const
const id = fc.constantFrom(...ids)
const list = fc.array(text, { maxLength: 3 })

const task = fc.record(
  {
    id,
    title,
    description: text,
    complexity: fc.constantFrom('simple', 'medium', 'complex'),
    dependsOn: fc.array(id, { maxLength: 2 }),
    criteria: list,
    checks: list,
    files: list,
    priority: fc.integer(),
  },
  { requiredKeys: ['id', 'title'] },
)
const question = fc.record(
  {
    id: fc.constantFrom('Q1', 'Q2'),
    text: title,
    options: list,
    default: text,
    blocks: fc.array(id, { maxLength: 2 }),
  },
  { requiredKeys: ['text'] },
)
const decision = fc.record(
  {
    title,
    context: text,
    choice: text,
    alternatives: fc.array(fc.record({ option: text, why: text }), { maxLength: 2 }),
  },
  { requiredKeys: ['title'] },
)
/** Named in order, each waiting for earlier ones only. */
const tasks = fc
  .array(task, { minLength: 1, maxLength: 5 })
  .map((all) =>
    all.map((each, index) => ({
      ...each,
      id: ids[index],
      dependsOn: ids.slice(0, index).filter((earlier) => each.dependsOn?.includes(earlier)),
    })),
  )
const few = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(of, { maxLength: 2 })

const mostly = (usual: string, ...others: string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

export const answers: Record<ResultShape, fc.Arbitrary<object>> = {
  planner: fc.record(
    {
      status: mostly('plan', 'needs_clarification'),
      tasks,
      risks: list,
      assumptions: list,
      decisions: few(decision),
      questions: few(question),
    },
    { requiredKeys: ['status', 'tasks'] },
  ),
  supervisor: fc.record(
    {
      score: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 70, max: 100 }) },
        { weight: 1, arbitrary: fc.double() },
        { weight: 1, arbitrary: fc.integer({ max: 70 }) },
      ),
      summary: text,
      missing: list,
      feedback: text,
      issues: few(fc.record({ severity: fc.constantFrom('critical', 'major', 'minor'), message: text })),
    },
    { requiredKeys: ['score'] },
  ),
  coder: fc.record(
    {
      status: mostly('complete', 'blocked', 'needs_clarification'),
      summary: text,
      files: list,
      decisions: few(decision),
      questions: few(question),
      blocker: fc.record({ kind: fc.constant('external'), reason: text }),
      newTasks: few(task),
    },
    { requiredKeys: ['status'] },
  ),
  tester: fc.record(
    {
      status: mostly('passed', 'failed', 'blocked'),
      total: fc.nat(),
      passed: fc.nat(),
      failed: fc.nat(),
      summary: text,
      failures: few(fc.record({ name: text, file: text, error: text })),
    },
    { requiredKeys: ['status'] },
  ),
  iterator: fc.record(
    {
      task_id: fc.option(id),
      status: mostly('done', 'blocked', 'skipped', 'continue', 'stop'),
      summary: text,
      files: list,
      blockers: list,
      new_tasks: few(task),
      plateau: fc.boolean(),
      reasoning: text,
      patterns: list,
      output: text,
    },
    { requiredKeys: ['status'] },
  ),
  judge: fc.record(
    { stop: fc.boolean(), confidence: fc.double({ min: 0, max: 1, noNaN: true }), reason: text },
    { requiredKeys: ['stop', 'confidence'] },
  ),
}

const name = fc.constantFrom('claude', 'codex', 'mine', 'a.b-c')
const minutes = fc.integer({ min: 1, max: 600 })
const amount = fc.option(fc.nat({ max: 1_000 }))

export const config: fc.Arbitrary<object> = fc.record(
  {
    $schema: title,
    workflow: fc.constant('supervised'),
    agent: fc.option(name),
    parallel: fc.integer({ min: 1, max: 16 }),
    review: fc.boolean(),
    agents: fc.dictionary(
      name,
      fc.record(
        {
          command: fc.array(title, { minLength: 1, maxLength: 3 }),
          model: title,
          env: fc.dictionary(fc.constantFrom('A', 'B'), fc.string()),
          fallback: fc.uniqueArray(name),
          timeoutMinutes: minutes,
          stallSeconds: minutes,
          maxSteps: fc.nat({ max: 500 }),
          billing: fc.constantFrom('api', 'subscription'),
        },
        some,
      ),
      { maxKeys: 2 },
    ),
    roles: fc.record(
      { coder: fc.record({ agent: name, model: title }, some), planner: fc.record({ agent: name }, some) },
      some,
    ),
    schedule: fc.constantFrom('single', 'odd-even', 'round-robin'),
    rotation: fc.uniqueArray(name),
    workspace: fc.record(
      {
        mode: fc.constantFrom('worktree', 'in-place'),
        copy: fc.uniqueArray(fc.constantFrom('.env', 'a/b')),
        commit: fc.option(fc.boolean()),
      },
      some,
    ),
    checks: fc.option(
      fc.array(
        fc.oneof(
          fc.constant('npm test'),
          fc.record(
            { name: fc.constantFrom('unit', 'lint'), run: fc.constant('true'), timeoutMinutes: minutes },
            { requiredKeys: ['name', 'run'] },
          ),
        ),
        { maxLength: 2 },
      ),
    ),
    limits: fc.record(
      { timeMinutes: amount, costUsd: amount, tokens: amount, turns: amount, attempts: amount, splitDepth: amount },
      some,
    ),
    thresholds: fc.record(
      { approve: fc.integer({ min: 0, max: 100 }), failedTasksAbort: fc.double({ min: 0, max: 1, noNaN: true }) },
      some,
    ),
    secrets: fc.uniqueArray(fc.constantFrom('TOKEN', 'KEY')),
    sessions: fc.constantFrom('fresh', 'resume'),
    onUsageLimit: fc.constantFrom('wait', 'fallback', 'pause'),
  },
  some,
)
