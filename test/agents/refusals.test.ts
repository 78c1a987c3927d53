/** Errors that only a person can fix: the run pauses at the first sign, instead of letting the CLI retry for minutes. */
import { expect, test } from 'vitest'
import type { Step } from '../../src/testing.ts'
import { forEachAgent } from './kit/for-each-agent.ts'
import { createScene, eventsOf, expectEnd, goal } from './kit/scene.ts'

const [login, configure] = ['Log in to', 'Fix the configuration of']
const hintOf = (advice: string, name: string): RegExp => new RegExp(`${advice} ${name}\\b.*, then: looper resume`)

forEachAgent((agent) => {
  const refusals = [
    { what: 'a key that is refused (401)', status: 401, kind: 'auth', advice: login },
    { what: 'a key without the right (403)', status: 403, kind: 'auth', advice: login },
    { what: 'an unknown model (404)', status: 404, kind: 'config', advice: configure },
    ...(agent.subscription
      ? [
          {
            what: 'a subscription whose login is refused (401)',
            status: 401,
            kind: 'auth',
            advice: login,
            as: agent.subscription,
          },
        ]
      : []),
  ]
  test.each(refusals.map((refusal) => [refusal.what, refusal] as const))(
    'F1: %s pauses the run within 10 s, with a hint',
    async (_, { status, kind, advice, as }) => {
      const hint = expect.stringMatching(hintOf(advice, agent.name))
      let isFixed = false
      let refusedAt = 0
      const refuse = (): Step => {
        refusedAt ||= Date.now()
        return { status }
      }
      const scene = await createScene(agent, { as, behave: () => (isFixed ? undefined : refuse()) })
      const { project } = scene
      const ended = await project.looper('run', goal)
      expectEnd(ended, 3)
      expect(ended.stdout).toMatch(new RegExp(`${advice} ${agent.name}\\b[^]*looper resume`))
      const [started, paused] = [eventsOf(scene, 'run.started')[0]!, eventsOf(scene, 'run.paused')[0]!]
      expect(paused.reason).toMatchObject({ kind, hint })
      // Not every CLI has asked its model anything after ten seconds.
      expect(Date.parse(paused.at) - (agent.isUsual ? Date.parse(started.at) : refusedAt)).toBeLessThan(10_000)
      expect(await project.status()).toMatchObject({ status: 'paused', pause: { kind, hint } })

      isFixed = true
      expectEnd(await project.looper('resume'), 0)
      expect(await project.status()).toMatchObject({ status: 'completed', tasks: [{ attempts: 1 }] })
    },
  )
})
