/** What the real CLIs may do: judges change nothing, money ends where its limit is, and no secret is kept. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forUsualAgents } from './kit/for-each-agent.ts'
import { usage, type Asked } from './kit/good-model.ts'
import { createScene, eventsOf, expectEnd, goal, turnsOf } from './kit/scene.ts'
import { rounded, usageOf } from './kit/spending.ts'

const refused = /\berror\b|rejected|Read-only file system|Failed to write file/i

forUsualAgents((agent) => {
  test('D5: planner and judges that try to edit are stopped or caught, and nothing of it stays', async () => {
    const tried: string[] = []
    const stopped: string[] = []
    const behave = ({ role, step, request }: Asked) => {
      if (role === 'coder') return undefined
      if (step > 0 && step < 3 && request.messages.at(-1)?.toolResults.some(({ text }) => refused.test(text)))
        stopped.push(tried.at(-1)!)
      if (step > 1) return undefined
      const file = `${tried.length}-by-${role}.txt`
      tried.push(file)
      return {
        toolCalls: [step === 0 ? agent.tools.write(file, 'x\n') : agent.tools.command(`echo x > ${file}`)],
        usage,
      }
    }
    const scene = await createScene(agent, { behave, config: { review: true } })
    const { project } = scene
    expectEnd(await project.looper('run', goal), 0)
    const findings = eventsOf(scene, 'finding.raised')
    const caught = findings.flatMap(({ title, detail }) =>
      title.endsWith('although it may only read') ? detail.replace('Put back: ', '').split(', ') : [],
    )
    expect(tried).toHaveLength(10)
    expect([...stopped, ...caught].toSorted()).toEqual(tried.toSorted())
    expect(stopped.length).toBeGreaterThan(0)
    const { branch } = await project.status()
    expect(project.git('ls-tree', '-r', '--name-only', branch).split('\n')).toEqual(['README.md', 'T001.txt'])
  })

  test('F1: the limit on money pauses the run before another turn starts', async () => {
    const scene = await createScene(agent, {
      tasks: ['T001', 'T002'],
      config: { parallel: 1, limits: { costUsd: 0.08 } },
    })
    const { project, told } = scene
    const ended = await project.looper('run', goal)
    expectEnd(ended, 3)
    expect(ended.stdout).toMatch(/looper resume [^\n]*--cost-usd/)
    const status = await project.status()
    expect(status).toMatchObject({
      status: 'paused',
      pause: { kind: 'limit', detail: 'the cost limit of $0.08 is reached' },
    })
    expect(rounded(status.usage)).toEqual(rounded(usageOf(agent, told)))
    expect(status.usage.costUsd).toBeLessThan(0.12)

    expectEnd(await project.looper('resume', '--cost-usd', '5'), 0)
    expect(rounded((await project.status()).usage)).toEqual(rounded(usageOf(agent, told)))
  })

  if (agent.keepsBudget)
    test('F1: the remaining budget is passed to the agent, and ends an endless turn', async () => {
      const endless = ({ role, step }: Asked) =>
        role === 'coder' ? { toolCalls: [agent.tools.command(`echo round ${step}`)], usage } : undefined
      const scene = await createScene(agent, { behave: endless, config: { limits: { costUsd: 0.2 } } })
      const { project, told } = scene
      expectEnd(await project.looper('run', goal), 3)
      expect(turnsOf(scene).at(-1)).toMatchObject({ work: { role: 'coder' }, outcome: { error: { kind: 'budget' } } })
      const { usage: spent, pause } = await project.status()
      expect(pause).toMatchObject({ kind: 'limit' })
      expect(rounded(spent)).toEqual(rounded(usageOf(agent, told)))
      expect(spent.costUsd).toBeLessThan(0.2 + usageOf(agent, [{ tokens: usage }]).costUsd)
    })

  test('D5: the key that the agent is given is nowhere in what Looper shows or keeps', async () => {
    const { key, project } = await createScene(agent, { behave: (asked) => tellTale(asked), config: { review: true } })
    function tellTale({ role, step, task }: Asked) {
      if (role !== 'coder' || step > 1) return undefined
      if (step === 0)
        return {
          text: `The key is ${key}.`,
          toolCalls: [agent.tools.command(`echo made > ${task}.txt; echo ${key}; printenv; cat /proc/self/environ`)],
          usage,
        }
      return {
        result: {
          status: 'complete',
          summary: `made with ${key}`,
          files: [],
          decisions: [{ title: 'Key', context: key, choice: key, alternatives: [] }],
        },
        usage,
      }
    }
    const shown = [await project.looper('run', goal, '--json')]
    for (const words of [['status', '--json'], ['report'], ['diff'], ['config', '--json']])
      shown.push(await project.looper(...words))
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(shown.filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes(key))).toEqual([])
    const kept = filesIn(join(project.root, '.looper/runs'))
    expect(kept.some((file) => file.endsWith('report.md'))).toBe(true)
    const texts = kept.map((file) => readFileSync(file, 'latin1'))
    expect(kept.filter((_, index) => texts[index]?.includes(key))).toEqual([])
    expect(texts.some((text) => /made with \[\w+_API_KEY\]/.test(text))).toBe(true)
  })
})

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
