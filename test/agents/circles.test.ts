/** CLIs that come to no end: silence is ended by the stall limit, circles by the cap on steps. */
import { expect, test } from 'vitest'
import type { Step } from '../../src/testing.ts'
import { forEachAgent } from './kit/for-each-agent.ts'
import { usage, type Asked } from './kit/good-model.ts'
import { createScene, expectEnd, goal, turnsOf, type Scene } from './kit/scene.ts'

const maxSteps = 8

forEachAgent((agent) => {
  const endless: { what: string; kind: string; step: (asked: Asked) => Step }[] = [
    {
      what: 'a stream that falls silent is ended by the stall limit',
      kind: 'stalled',
      step: () => ({ text: 'This sentence hangs', hang: true }),
    },
    {
      what: 'a model that never begins to answer is ended by the stall limit',
      kind: 'stalled',
      step: () => ({ hang: 'silent' }),
    },
    {
      what: 'tools called in an endless circle are ended by the cap on steps',
      kind: 'max_turns',
      step: ({ step }) => ({ toolCalls: [agent.tools.command(`echo round ${step}`)], usage }),
    },
    ...(agent.endless ?? []),
  ]

  test.each(endless.map((way) => [way.what, way] as const))('D5: %s', async (_, { kind, step }) => {
    const isOver = (): boolean =>
      turnsOf(scene).some(({ work, outcome }) => work.role === 'coder' && outcome.status === 'error')
    const scene: Scene = await createScene(agent, {
      behave: (asked) => (asked.role === 'coder' && !isOver() ? step(asked) : undefined),
      agent: { stallSeconds: agent.stallSeconds, maxSteps },
    })
    expectEnd(await scene.project.looper('run', goal), 0)
    const [ended, again, ...more] = turnsOf(scene).filter(({ work }) => work.role === 'coder')
    expect(more).toEqual([])
    expect(ended).toMatchObject({ work: { id: 'T001/a1/implement' }, outcome: { error: { kind } } })
    expect(again).toMatchObject({ work: { id: 'T001/a1/implement.retry' }, outcome: { status: 'ok' } })
    expect(await scene.project.status()).toMatchObject({ status: 'completed', tasks: [{ attempts: 1 }] })
  })
})
