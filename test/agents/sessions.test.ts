/** Sessions of the real CLIs: resumed to repair an answer or fix a change, and never counted twice. */
import { expect, test } from 'vitest'
import { forUsualAgents } from './kit/for-each-agent.ts'
import { usage, type Asked } from './kit/good-model.ts'
import { argvOf, createScene, expectEnd, goal, turnsOf, type Scene, type Turn } from './kit/scene.ts'
import { rounded, usageOf } from './kit/spending.ts'

/** A turn that resumes a session says so when it starts, and its model sees the earlier messages. */
function expectResumed(scene: Scene, { work }: Turn, { outcome }: Turn): void {
  expect(work.session?.id).toBe(outcome.sessionId)
  expect(argvOf(scene, work.id).join(' ')).toContain(`resume ${outcome.sessionId}`)
  const { told } = scene
  const first = told.find(({ asked }) => asked.role === 'coder')?.asked.prompt ?? ''
  expect(
    told
      .at(-1)
      ?.asked.request.messages.map(({ text }) => text)
      .join('\n'),
  ).toContain(first.trim())
}

const isCoder = ({ work }: Turn): boolean => work.role === 'coder'

forUsualAgents((agent) => {
  test('D5: an invalid answer is repaired in one more turn of the same session', async () => {
    const refuse = ({ role, step, isRepair }: Asked) =>
      role === 'coder' && step > 0 && !isRepair ? { result: { status: 'perhaps', summary: 'hm' }, usage } : undefined
    const answer = ({ role, isRepair, task }: Asked) =>
      role === 'coder' && isRepair
        ? { result: { status: 'complete', summary: `made ${task}`, files: [] }, usage }
        : undefined
    const scene = await createScene(agent, { behave: (asked) => refuse(asked) ?? answer(asked) })
    const { project, told } = scene
    expectEnd(await project.looper('run', goal), 0)

    const [invalid, repair, ...more] = turnsOf(scene).filter(isCoder)
    expect(more).toEqual([])
    expect(invalid).toMatchObject({
      work: { id: 'T001/a1/implement' },
      outcome: { status: 'invalid', errors: expect.arrayContaining([expect.stringMatching(/^status: /)]) },
    })
    expect(repair).toMatchObject({
      work: { id: 'T001/a1/implement.repair' },
      outcome: { status: 'ok', result: { summary: 'made T001' } },
    })
    expectResumed(scene, repair!, invalid!)
    expect(rounded(invalid!.outcome.usage)).toEqual(
      rounded(
        usageOf(
          agent,
          told.filter(({ asked }) => asked.role === 'coder' && !asked.isRepair),
        ),
      ),
    )
    expect(rounded(repair!.outcome.usage)).toEqual(
      rounded(
        usageOf(
          agent,
          told.filter(({ asked }) => asked.isRepair),
        ),
      ),
    )
    expect(rounded((await project.status()).usage)).toEqual(rounded(usageOf(agent, told)))
  })

  test('F1 F2: with resumed sessions, the coder fixes its own change, and each turn costs only its own tokens', async () => {
    const behave = ({ role, step, prompt }: Asked) => {
      if (role !== 'coder' || step > 0) return undefined
      const fixes = prompt.includes('Fix it there') ? 'fix' : 'make'
      return { toolCalls: [agent.tools.command(`echo ${fixes} >> T001.txt`)], usage }
    }
    // Green with the second fix.
    const scene = await createScene(agent, {
      behave,
      config: { sessions: 'resume', checks: ['test "$(grep -c fix T001.txt)" = 2'] },
    })
    const { project, told } = scene
    expectEnd(await project.looper('run', goal), 0)

    const turns = turnsOf(scene).filter(isCoder)
    expect(turns.map(({ work }) => work.id)).toEqual(['T001/a1/implement', 'T001/a1/fix1', 'T001/a1/fix2'])
    const each = usageOf(agent, [{ tokens: usage }, { tokens: usage }])
    for (const { outcome } of turns) expect(rounded(outcome.usage)).toEqual(rounded(each))
    expect(new Set(turns.map(({ outcome }) => outcome.sessionId)).size).toBe(1)
    expectResumed(scene, turns[1]!, turns[0]!)
    expectResumed(scene, turns[2]!, turns[1]!)
    const status = await project.status()
    expect(status).toMatchObject({ status: 'completed', tasks: [{ attempts: 1, fixCycles: 2 }] })
    expect(rounded(status.usage)).toEqual(rounded(usageOf(agent, told)))
  })
})
