/** Limits of the real CLIs' providers: waited out until their known end, or another agent continues. */
import { expect, test } from 'vitest'
import { forEachAgent, realAgents } from './kit/for-each-agent.ts'
import type { Asked } from './kit/good-model.ts'
import { createScene, eventsOf, expectEnd, goal, turnsOf, type Scene } from './kit/scene.ts'

const inSeconds = (seconds: number): string => new Date(Math.ceil(Date.now() / 1_000 + seconds) * 1_000).toISOString()
const msBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from)
const waitsOf = (scene: Scene) =>
  eventsOf(scene, 'work.started').flatMap(({ work }) =>
    work.kind === 'wait' && !work.id.startsWith('limit/') ? [work] : [],
  )

forEachAgent((agent) => {
  if (agent.subscription)
    test('F19: a quota that is back in 3 s is waited for, and the run continues', async () => {
      let resetsAt = ''
      const behave = ({ role }: Asked) => {
        if (role !== 'coder') return undefined
        resetsAt ||= inSeconds(3)
        return Date.now() < Date.parse(resetsAt) ? { status: 429, resetsAt } : undefined
      }
      const scene = await createScene(agent, { behave, as: agent.subscription })
      expectEnd(await scene.project.looper('run', goal), 0)

      const [refused, taken, ...more] = turnsOf(scene).filter(({ work }) => work.role === 'coder')
      expect(more).toEqual([])
      expect(refused!.outcome).toMatchObject({ status: 'error', error: { kind: 'usage_limit', resetsAt } })
      expect(waitsOf(scene)).toMatchObject([{ until: resetsAt }])
      expect(taken!.outcome.status).toBe('ok')
      expect(msBetween(resetsAt, taken!.startedAt)).toBeGreaterThanOrEqual(0)
      expect(await scene.project.status()).toMatchObject({ status: 'completed', tasks: [{ attempts: 1 }] })
    })

  test('F19: a limit without an end is waited out with pauses that grow', async () => {
    const behave = ({ role }: Asked) => (role === 'coder' && waitsOf(scene).length < 1 ? { status: 429 } : undefined)
    const scene: Scene = await createScene(agent, { behave })
    expectEnd(await scene.project.looper('run', goal), 0)

    const [refused, taken] = turnsOf(scene).filter(({ work }) => work.role === 'coder')
    expect(refused!.outcome).toMatchObject({ status: 'error', error: { kind: 'rate_limited', resetsAt: null } })
    const [wait] = waitsOf(scene)
    expect(msBetween(refused!.finishedAt, wait!.until)).toBeGreaterThanOrEqual(5_000)
    expect(msBetween(wait!.until, taken!.startedAt)).toBeGreaterThanOrEqual(0)
    expect(await scene.project.status()).toMatchObject({ status: 'completed', tasks: [{ attempts: 1 }] })
  })

  const others = [...realAgents.filter(({ name }) => name !== agent.name).slice(0, 1), 'command' as const]
  if (agent.subscription)
    test.each(others.map((other) => [typeof other === 'string' ? other : other.name, other] as const))(
      'F19: out of quota, %s takes over without a wait',
      async (name, other) => {
        const resetsAt = inSeconds(3_600)
        const scene = await createScene(agent, {
          tasks: ['T001', { id: 'T002', title: 'Make T002.txt', dependsOn: ['T001'] }],
          as: agent.subscription,
          behave: ({ role }) => (role === 'coder' ? { status: 429, resetsAt } : undefined),
          agent: { fallback: [name] },
          others: typeof other === 'string' ? [] : [other],
        })
        expectEnd(await scene.project.looper('run', goal), 0)

        const [refused, taken, next] = turnsOf(scene).filter(({ work }) => work.role === 'coder')
        expect(refused!.outcome).toMatchObject({ status: 'error', error: { kind: 'usage_limit', resetsAt } })
        expect(taken).toMatchObject({ work: { agent: name, task: 'T001' }, outcome: { status: 'ok' } })
        // What is known of the quota spares the next task of asking.
        expect(next).toMatchObject({ work: { agent: name, task: 'T002' }, outcome: { status: 'ok' } })
        expect(waitsOf(scene)).toEqual([])
        expect(await scene.project.status()).toMatchObject({
          status: 'completed',
          tasks: [{ attempts: 1 }, { attempts: 1 }],
        })
      },
    )
})
