/**
 * A whole supervised run with each real CLI: real processes, real tool calls, real structured answers, exact accounts.
 */
import { expect, test } from 'vitest'
import { landed, survivors } from '../kit/live.ts'
import { forEachAgent } from './kit/for-each-agent.ts'
import { madeBy } from './kit/good-model.ts'
import { createScene, expectEnd, goal, turnsOf } from './kit/scene.ts'
import { rounded, usageOf } from './kit/spending.ts'

forEachAgent((agent) => {
  test('D5 F1: a goal of three tasks is completed, its files are there, and every token and cent is counted', async () => {
    const scene = await createScene(agent, { tasks: ['T001', 'T002', 'T003'], config: { review: true, parallel: 2 } })
    const { project, model, told } = scene
    expectEnd(await project.looper('run', goal), 0)
    expect(model.unscripted()).toEqual([])

    const status = await project.status()
    expect(status).toMatchObject({ status: 'completed', reason: null, turns: 12 })
    expect(status.tasks).toMatchObject(
      ['T001', 'T002', 'T003'].map((id) => ({
        id,
        status: 'done',
        attempts: 1,
        fixCycles: 0,
        verified: true,
        score: 90,
      })),
    )
    expect(landed(project, status.branch)).toHaveLength(3)
    expect(project.git('ls-tree', '-r', '--name-only', status.branch).split('\n')).toEqual([
      'README.md',
      'T001.txt',
      'T002.txt',
      'T003.txt',
    ])
    for (const { id } of status.tasks) expect(`${project.git('show', `${status.branch}:${id}.txt`)}\n`).toBe(madeBy(id))

    const turns = turnsOf(scene)
    expect(turns.map(({ outcome }) => outcome.status)).toEqual(Array.from({ length: 12 }, () => 'ok'))
    expect(told.length).toBeGreaterThanOrEqual(15)
    expect(rounded(status.usage)).toEqual(rounded(usageOf(agent, told)))
    for (const {
      work: { role, task },
      outcome,
    } of turns.filter(({ work }) => work.role === 'coder')) {
      expect(outcome).toMatchObject({ result: { status: 'complete', summary: `made ${task}`, files: [`${task}.txt`] } })
      expect(rounded(outcome.usage)).toEqual(
        rounded(
          usageOf(
            agent,
            told.filter(({ asked }) => asked.role === role && asked.task === task),
          ),
        ),
      )
    }
    expect(survivors(project)).toEqual([])
  })
})
