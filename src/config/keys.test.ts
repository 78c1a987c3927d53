import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Config } from '../model/config.ts'
import { configFlags } from './flags.ts'
import { keys, openKeys, settingsSpec, type Settings } from './keys.ts'
import { defaultsLayer } from './merge.ts'
import { findProblem } from './validate.ts'

const doubles = (names: string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index)

/** Keys of `A`, and of its groups, that `B` lacks. Names that users choose (an index signature) are no keys. */
type Lacking<A, B> = {
  [K in keyof A & string]: string extends K ? never : K extends keyof B ? Lacking<Group<A[K]>, Group<B[K]>> : K
}[keyof A & string]
type Group<T> = NonNullable<T> extends readonly unknown[] | string | number | boolean ? object : NonNullable<T>

describe('the table of keys', () => {
  test('has the keys of Config and no others, which the compiler checks', () => {
    expectTypeOf<Lacking<Settings, Config>>().toBeNever()
    expectTypeOf<Lacking<Config, Settings>>().toBeNever()
  })

  test('D6: gives every key a variable of its own', () => {
    expect(doubles(keys.map(({ env }) => env))).toEqual([])
    expect(keys.find(({ name }) => name === 'limits.timeMinutes')?.env).toBe('LOOPER_LIMITS_TIME_MINUTES')
    expect(keys.find(({ name }) => name === 'checksParallel')?.env).toBe('LOOPER_CHECKS_PARALLEL')
    expect(keys.find(({ name }) => name === 'roles.planner.agent')?.env).toBe('LOOPER_ROLES_PLANNER_AGENT')
  })

  test('gives no two keys the same flag', () => {
    expect(doubles(configFlags.map(({ flag }) => flag))).toEqual([])
    expect(configFlags.find(({ flag }) => flag === 'review')).toMatchObject({ key: 'review', kind: 'switch' })
    expect(configFlags.find(({ flag }) => flag === 'check')).toMatchObject({ key: 'checks', kind: 'list' })
    expect(configFlags.find(({ flag }) => flag === 'time-minutes')).toMatchObject({
      key: 'limits.timeMinutes',
      kind: 'value',
    })
  })

  test('A10: has valid defaults, those of the contract', () => {
    const { value } = defaultsLayer()
    expect(findProblem(settingsSpec, value)).toBeNull()
    expect(value).toEqual({
      workflow: 'supervised',
      source: 'todo-file',
      sourceName: null,
      backlog: 'to-do.json',
      agent: null,
      agents: {},
      roles: {},
      checkReruns: 2,
      baseline: 'pause',
      guard: 'block',
      proof: true,
      schedule: 'single',
      rotation: [],
      parallel: 4,
      checksParallel: null,
      workspace: { mode: 'worktree', setup: null, copy: [], commit: null, hooks: 'skip', folder: null, cacheMb: 4096 },
      commit: { style: 'plain', template: null, subjectLength: 72 },
      apply: { style: 'merge' },
      checks: null,
      interaction: 'auto',
      sandbox: null,
      sandboxAllow: [],
      limits: {
        timeMinutes: 120,
        costUsd: 25,
        tokens: null,
        turns: null,
        iterations: 50,
        goalIterations: 5,
        fixCycles: 3,
        attempts: 3,
        splitDepth: 3,
        planRevisions: 3,
        recoveries: 2,
        waitMinutes: 360,
        newTasks: 20,
        diskMb: 4_096,
      },
      secrets: [],
      race: { complex: 1 },
      thresholds: { approve: 70, revise: 50, failedTasksAbort: 0.5 },
      review: true,
      sessions: 'fresh',
      onUsageLimit: 'wait',
      onPlanRejected: 'skip_and_continue',
      onHangup: 'detach',
      activity: false,
      hooks: { postIteration: [], onQuestion: [], onLimit: [], onEnd: [], timeoutSeconds: 30 },
      notify: { desktop: false, bell: false, webhook: null, on: ['question', 'limit', 'end'] },
    })
  })

  test('describes every key in one sentence', () => {
    for (const { name, field } of [...keys, ...openKeys])
      if (field !== null) expect(field.about, name).toMatch(/^[A-Z].{5,}\.$/)
  })

  test('shows a valid example of every value that is not one of a few', () => {
    for (const { name, field, spec } of [...keys, ...openKeys]) {
      const inner = spec.kind === 'nullable' ? spec.of : spec
      if (field === null || ['object', 'choice', 'boolean'].includes(inner.kind)) continue
      expect(field.examples.length, name).toBeGreaterThan(0)
      for (const example of field.examples) expect(findProblem(spec, example), name).toBeNull()
    }
  })
})
