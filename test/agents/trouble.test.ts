/**
 * Trouble that passes: the run backs off and goes on; and a prompt that is too long, which is said again in fewer
 * words.
 */
import { expect, test } from 'vitest'
import type { Step } from '../../src/testing.ts'
import { failures } from '../kit/live.ts'
import { forUsualAgents } from './kit/for-each-agent.ts'
import { readRequest, type Asked } from './kit/good-model.ts'
import { createScene, eventsOf, expectEnd, goal, turnsOf, type Scene, type Turn } from './kit/scene.ts'

/** By the title of the task whose coder meets it, and what it is taken for. */
const troubles: Readonly<Record<string, { step: Step; kinds: readonly string[] }>> = {
  'service unavailable': { step: { status: 503 }, kinds: ['overloaded'] },
  overloaded: { step: { status: 529 }, kinds: ['overloaded'] },
  'overloaded halfway': { step: { status: 529, inStream: true }, kinds: ['overloaded'] },
  'connection cut halfway': { step: { text: 'This sentence is never', drop: true }, kinds: ['network'] },
  'connection cut at once': { step: { drop: 'silent' }, kinds: ['network'] },
  garbage: { step: { garbage: true }, kinds: ['bad_response', 'network'] },
}

const failedTurns = (scene: Scene): Turn[] => turnsOf(scene).filter(({ outcome }) => outcome.status === 'error')

forUsualAgents((agent) => {
  test('F1: a temporary error costs a wait and no attempt', async () => {
    const tasks = Object.keys(troubles).map((title, index) => ({ id: `T00${index + 1}`, title }))
    const behave = ({ role, task }: Asked): Step | undefined => {
      const trouble = troubles[tasks.find(({ id }) => id === task)?.title ?? '']
      return role === 'coder' && failedTurns(scene).every(({ work }) => work.task !== task) ? trouble?.step : undefined
    }
    const scene = await createScene(agent, { tasks, behave, config: { parallel: tasks.length } })
    expectEnd(await scene.project.looper('run', goal), 0)

    for (const { id, title } of tasks) {
      const [failed, again, ...more] = turnsOf(scene).filter(({ work }) => work.task === id)
      const kind = failed!.outcome.status === 'error' ? failed!.outcome.error.kind : ''
      expect(troubles[title]!.kinds, title).toContain(kind)
      expect(again!.outcome.status, title).toBe('ok')
      expect(more, title).toEqual([])
      const pauseMs = Date.parse(again!.startedAt) - Date.parse(failed!.finishedAt)
      if (kind !== 'bad_response') expect(pauseMs, title).toBeGreaterThanOrEqual(5_000)
    }
    const { status, tasks: done } = await scene.project.status()
    expect(status).toBe('completed')
    expect(done.map(({ attempts }) => attempts)).toEqual(tasks.map(() => 1))
  })

  const long = { id: 'T001', title: 'Make T001.txt', description: 'Mind this, and all of it. '.repeat(7_000) }
  const promptSizes = ({ model }: Scene): number[] =>
    model
      .requests()
      .map(readRequest)
      .filter(({ role, step }) => role === 'coder' && step === 0)
      .map(({ prompt }) => prompt.length)

  test('F1: a prompt that is too long for the model is said again in half the words', async () => {
    const scene: Scene = await createScene(agent, {
      tasks: [long],
      behave: ({ role }) => (role === 'coder' && failedTurns(scene).length === 0 ? { overflow: true } : undefined),
    })
    expectEnd(await scene.project.looper('run', goal), 0)
    expect(failedTurns(scene).map(({ outcome }) => outcome)).toMatchObject([{ error: { kind: 'context_overflow' } }])
    const sizes = promptSizes(scene)
    expect(Math.max(...sizes)).toBeGreaterThan(100_000)
    expect(sizes.at(-1)).toBeLessThan(0.6 * sizes[0]!)
    expect(await scene.project.status()).toMatchObject({ status: 'completed', tasks: [{ attempts: 1 }] })
  })

  test('F1: one that is still too long then fails the attempt', async () => {
    const limits = { attempts: 1, splitDepth: 0, goalIterations: 0 }
    const scene = await createScene(agent, {
      tasks: [long],
      behave: ({ role }) => (role === 'coder' ? { overflow: true } : undefined),
      config: { limits },
    })
    expectEnd(await scene.project.looper('run', goal), 1)
    expect(failures(scene.project)).toEqual(['context_overflow'])
    expect(failedTurns(scene).map(({ work }) => work.id)).toEqual(['T001/a1/implement', 'T001/a1/implement.retry'])
    expect(eventsOf(scene, 'run.ended')).toMatchObject([{ status: 'failed', reason: expect.stringContaining('T001') }])
  })
})
