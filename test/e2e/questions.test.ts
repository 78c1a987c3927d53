import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, listening, projects, received } from '../kit/outside.ts'
import { type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const one = (more = ''): string =>
  `if (role === 'planner' && purpose === 'plan') answer({ tasks: [{ id: 'T001', title: 'only'${more} }] })\n`
const codes = `if (role === 'coder') { write(task + '.txt', env.LOOPER_TURN); answer({ status: 'complete' }) }\n`
/** No second chances but those that a test is about. */
const strict = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits: strict }

describe.concurrent('questions, blocks and discoveries', () => {
  test('a coder’s question without a default parks its task, the rest goes on, and the answer reaches the next prompt', async () => {
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'asks' }, { id: 'T002', title: 'goes on' }] })
if (task === 'T001' && !prompt.includes('use the blue one')) answer({ status: 'needs_clarification', questions: [{ text: 'Which paint?', options: ['the red one', 'the blue one'] }] })
else { ${codes} }`,
    })
    const asked = await project.looper('run', 'ask')
    expect(asked).toMatchObject({ code: 3, stderr: '' })
    expect(asked.stdout).toMatch(/Which paint\?[^]*looper answer Q1/)
    expect(await project.status()).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('Which paint?'),
      tasks: [{ status: 'blocked' }, { status: 'done' }],
      questions: [{ id: 'Q1', text: 'Which paint?', answer: null }],
    })
    expect(await project.looper('resume')).toMatchObject({ code: 3 })
    expect(await project.looper('answer', 'Q9', 'what')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Q9'),
    })
    expect(await project.looper('answer', 'Q1', 'use the blue one')).toMatchObject({ code: 0 })
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    expect(received(project, 'T001/a2/implement')).toMatch(/Which paint\?[^]*use the blue one/)
    expect(await project.status()).toMatchObject({
      status: 'completed',
      questions: [{ id: 'Q1', answer: 'use the blue one' }],
      tasks: [{ status: 'done', attempts: 2 }, { attempts: 1 }],
    })
    expect(project.read('.looper/runs/last/report.md')).toContain('use the blue one')
  })

  test('a coder’s question with a default: its task goes on with it, and one asked beside the work is kept', async () => {
    const project = create({
      config: { ...quick, limits: { ...strict, attempts: 2 } },
      agent: `${listening}${one()}
if (role === 'coder' && attempt === 1) answer({ status: 'needs_clarification', questions: [{ text: 'Which paint?', default: 'the green one' }] })
else if (role === 'coder') { write('x.txt', 'x'); answer({ status: 'complete', questions: [{ text: 'And the door?', default: 'as it is' }, { text: 'And the roof?' }] }) }`,
    })
    expect(await project.looper('run', 'ask')).toMatchObject({ code: 0, stderr: '' })
    expect(received(project, 'T001/a2/implement')).toMatch(/Which paint\?[^]*the green one/)
    expect(await project.status()).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'done', attempts: 2 }],
      questions: [
        { id: 'Q1', answer: 'the green one' },
        { id: 'Q2', text: 'And the door?', answer: 'as it is' },
        { id: 'Q3', answer: null },
      ],
    })
    expect(project.read('.looper/runs/last/report.md')).toMatch(/And the roof\?.*not answered/)
  })

  test('a planner’s questions: one with a default goes on with it, one without waits for a person', async () => {
    const agent = (question: string): string => `${listening}
if (purpose === 'plan') answer({ status: 'needs_clarification', questions: [${question}] })
if (purpose === 'revise') answer({ tasks: [{ id: 'T001', title: 'x' }] })
${codes}`
    const easy = create({ config: quick, agent: agent(`{ text: 'Which tide?', default: 'the ebb' }`) })
    expect(await easy.looper('run', 'sail')).toMatchObject({ code: 0 })
    expect(received(easy, 'plan/r1')).toMatch(/Which tide\?[^]*the ebb/)
    expect(await easy.status()).toMatchObject({ questions: [{ answer: 'the ebb' }] })

    const hard = create({ config: quick, agent: agent(`{ text: 'Which tide?' }`) })
    expect(await hard.looper('run', 'sail')).toMatchObject({ code: 3 })
    expect(await hard.looper('answer', 'Q1', 'the flood')).toMatchObject({ code: 0 })
    expect(await hard.looper('resume')).toMatchObject({ code: 0 })
    expect(received(hard, 'plan/r1')).toContain('the flood')
  })

  test('a question that blocks one task of the plan holds back only that one', async () => {
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x' }, { id: 'T002', title: 'y' }], questions: [{ text: 'How high?', blocks: ['T002'] }] })
${codes}`,
    })
    expect(await project.looper('run', 'jump')).toMatchObject({ code: 3 })
    expect(await project.status()).toMatchObject({ tasks: [{ status: 'done' }, { status: 'blocked', attempts: 0 }] })
    await project.looper('answer', 'Q1', 'six feet')
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    expect(received(project, 'T002/a1/implement')).toContain('six feet')
  })

  test('a blocked task: the others finish, the run pauses with the blocker; after resume it is tried again', async () => {
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x' }, { id: 'T002', title: 'y' }] })
if (task === 'T001' && !fs.existsSync(path.join(env.NOTES, 'fixed'))) answer({ status: 'blocked', summary: 'stuck', blocker: { kind: 'external', reason: 'the sluice is shut' } })
else { ${codes} }`,
    })
    const { code, stdout } = await project.looper('run', 'row')
    expect(code).toBe(3)
    expect(stdout).toContain('the sluice is shut')
    expect(await project.status()).toMatchObject({
      status: 'paused',
      tasks: [{ status: 'blocked', block: 'external', reason: 'the sluice is shut' }, { status: 'done' }],
    })
    beside(project, 'notes/fixed', '')
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    expect(await project.status()).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'done', attempts: 2 }, { attempts: 1 }],
    })
  })

  test('new tasks and decisions of a coder join the plan, and reach later prompts', async () => {
    const project = create({
      config: { ...quick, limits: { ...strict, splitDepth: 1 } },
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x' }], decisions: [{ title: 'Wood', choice: 'oak', context: 'it floats', alternatives: [{ option: 'iron', why: 'sinks' }] }] })
if (task === 'T001') { write('x.txt', 'x'); answer({ status: 'complete', newTasks: [{ title: 'caulk the seams', criteria: ['dry inside'] }, { id: 'last', title: 'paint', dependsOn: ['T001'] }], decisions: [{ title: 'Nails', choice: 'brass' }] }) }
else { ${codes} }`,
    })
    expect(await project.looper('run', 'build')).toMatchObject({ code: 0 })
    const status = await project.status()
    expect(status.tasks).toMatchObject([
      { id: 'T001' },
      { id: 'T002', title: 'caulk the seams', criteria: ['dry inside'], status: 'done' },
      { id: 'T003', title: 'paint', dependsOn: ['T001'], status: 'done' },
    ])
    for (const said of ['oak', 'brass', 'dry inside']) expect(received(project, 'T002/a1/implement')).toContain(said)
    expect(found(project, 'decision.recorded')).toMatchObject([
      { decision: { id: 'D1', choice: 'oak' } },
      { decision: { id: 'D2', task: 'T001', choice: 'brass' } },
    ])
  })

  test('the prompts of a project replace Looper’s own', async () => {
    const project = create({ config: quick, agent: `${listening}${one()}${codes}` })
    project.write('.looper/prompts/coder.implement.md', 'My own words for ${TASK}.\n\n${CONTEXT}\n\n${RESULT}\n')
    expect(await project.looper('run', 'own words')).toMatchObject({ code: 0 })
    expect(received(project, 'T001/a1/implement')).toMatch(/^My own words for T001\.\n/)
    project.write('.looper/prompts/coder.implement.md', 'My own ${WORDS}.')
    const { code, stderr } = await project.looper('run', 'own words')
    expect(code).toBe(2)
    expect(stderr).toContain('${WORDS}')
  })
})
