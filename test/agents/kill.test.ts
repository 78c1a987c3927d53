/**
 * Kill -9 of Looper while a real CLI runs a command: the turn is taken over or done again, and nothing of the run
 * outlives it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGate, type Step } from '../../src/testing.ts'
import {
  eventsSoFar,
  follow,
  gone,
  isRunning,
  killHard,
  killStranger,
  survivors,
  until,
  type Process,
} from '../kit/live.ts'
import { forEachAgent } from './kit/for-each-agent.ts'
import { madeBy, usage, type Asked } from './kit/good-model.ts'
import { createScene, eventsOf, expectEnd, goal, pidOf, turnsOf, type Scene } from './kit/scene.ts'

const turn = 'T001/a1/implement'
/** Not begun with `sleep`, because Claude Code refuses that. */
const background = 'echo begun; sleep 300 $QUIETLY & echo $! > $PID_FILE'
/** Out of reach of a CLI that ends what it started. */
const detached = 'setsid sleep 300 $QUIETLY & echo $! > $PID_FILE'
const foreground = 'echo $$ > $PID_FILE; exec sleep 300'

const pidFile = ({ project }: Scene): string => join(project.notes, 'sleep.pid')
const sleepOf = (scene: Scene): number =>
  Number(existsSync(pidFile(scene)) ? readFileSync(pidFile(scene), 'utf8') : NaN)

const lostTurns = (scene: Scene): string[] =>
  eventsOf(scene, 'work.lost')
    .map(({ id }) => id)
    .filter((id) => !id.startsWith('limit/'))

forEachAgent((agent) => {
  /** The coder first runs the command, unless `isOver`; `then` comes before it goes on. */
  const running = (line: string, isOver: (scene: Scene) => boolean, then?: Promise<void>): Promise<Scene> => {
    // Some wait for whatever holds their pipe.
    const command = line.replace('$QUIETLY', agent.isUsual ? '' : '> /dev/null 2>&1')
    const behave = ({ role, step, task }: Asked): Step | undefined => {
      if (role !== 'coder' || isOver(scene)) return undefined
      if (step === 0) return { toolCalls: [agent.tools.command(command.replace('$PID_FILE', pidFile(scene)))], usage }
      return step === 1
        ? { toolCalls: [agent.tools.write(`${task}.txt`, madeBy(task))], usage, ...(then ? { gate: then } : {}) }
        : undefined
    }
    let scene: Scene
    const created = createScene(agent, { behave, agent: { stallSeconds: agent.stallSeconds } })
    return created.then((made) => (scene = made))
  }
  /** Begins the run; it is killed when the command runs and the model was asked so often. */
  async function killed(scene: Scene, requests: number): Promise<number> {
    const looper = follow(scene.project.start('run', goal))
    await Promise.race([scene.model.asked(requests), looper.ended])
    const pid = await until('the command', () => sleepOf(scene) || null)
    await killHard(looper)
    expect(await scene.project.status()).toMatchObject({ status: 'crashed' })
    return pid
  }
  async function resumed(scene: Scene): Promise<Process> {
    const looper = follow(scene.project.start('resume'))
    await Promise.race([
      until('the run to go on', () => eventsSoFar(scene.project).some(({ type }) => type === 'run.resumed')),
      looper.ended,
    ])
    return looper
  }
  async function completes(scene: Scene, looper: Process, pid: number): Promise<void> {
    expectEnd(await looper.ended, 0)
    expect(await scene.project.status()).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'done', attempts: 1 }],
    })
    await gone(pid)
    expect(survivors(scene.project)).toEqual([])
  }

  test.each([
    ['sleep 300 &', background],
    ['setsid sleep 300 &', detached],
  ])('F2: with `%s` left behind, the turn is adopted and ends', async (_, command) => {
    const gate = createGate()
    const scene = await running(command, () => false, gate.opened)
    const pid = await killed(scene, 3)
    if (command === detached) expect(isRunning(pid)).toBe(true)
    const looper = await resumed(scene)
    gate.open()
    await completes(scene, looper, pid)
    expect(turnsOf(scene).map(({ work }) => work.id)).toEqual(['plan/r0', turn])
    expect(lostTurns(scene)).toEqual([])
  })

  test('F2: in the middle of `sleep 300`, the turn is taken over, ended by the stall limit and done again', async () => {
    const isOver = (scene: Scene): boolean =>
      turnsOf(scene).some(({ work, outcome }) => work.id === turn && outcome.status === 'error')
    const scene = await running(foreground, isOver)
    const pid = await killed(scene, 2)
    expect(isRunning(pid)).toBe(true)
    await completes(scene, await resumed(scene), pid)
    expect(turnsOf(scene).map(({ work, outcome }) => [work.id, outcome.status])).toEqual([
      ['plan/r0', 'ok'],
      [turn, 'error'],
      [`${turn}.retry`, 'ok'],
    ])
  })

  test.each([
    ['setsid sleep 300 &', detached, 3],
    ['sleep 300', foreground, 2],
  ])(
    'F2: with `%s` and a CLI that was killed too, what is left is swept away and the turn done again',
    async (_, command, requests) => {
      const gate = createGate()
      const scene = await running(command, (scene) => lostTurns(scene).length > 0, gate.opened)
      const pid = await killed(scene, requests)
      await killStranger(pidOf(scene, turn))
      if (command === detached) expect(isRunning(pid)).toBe(true)
      await completes(scene, await resumed(scene), pid)
      gate.open()
      expect(lostTurns(scene)).toEqual([turn])
    },
  )
})
