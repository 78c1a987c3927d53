import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project?.remove())

/** Notes what it reads, writes what the test says, and answers as told. */
const polisher = `
note('prompts', prompt.replaceAll('\\n', ' ⏎ '))
const times = fs.readFileSync(path.join(env.NOTES, 'prompts'), 'utf8').trim().split('\\n').length
write('plan.md', 'pass ' + times + '\\n')
`
const pipeline = `
name: two
description: first one, then the other
stages:
  - name: draft
    stage: polish
    runs: 2
  - name: final
    stage: finish
    runs: 1
`
const stageFiles = {
  '.looper/stages/polish/stage.yaml': 'name: polish\ndescription: polishes\ncompletion: fixed-n\nruns: 2\n',
  '.looper/stages/polish/prompt.md':
    'Session ${SESSION}, pass ${ITERATION} (${INDEX}). Read ${PROGRESS}, write ${OUTPUT}.\n',
  '.looper/stages/finish/stage.yaml': 'name: finish\ndescription: finishes\ncompletion: fixed-n\nruns: 1\n',
  '.looper/stages/finish/prompt.md': 'Finish. Inputs:\n${INPUTS}\nBy name:\n${INPUTS.draft}\nRead ${PROGRESS}.\n',
  '.looper/pipelines/two.yaml': pipeline,
}
const make = (agent: string, files: Record<string, string> = stageFiles): Project => {
  project = createProject({ agent: `${polisher}${agent}`, config: { checks: ['true'] } })
  for (const [path, text] of Object.entries(files)) project.write(path, text)
  return project
}
const prompts = (): string[] => readFileSync(join(project.notes, 'prompts'), 'utf8').trim().split('\n')

describe('C1 C3 C5: a pipeline', () => {
  test('walks its stages: variables, outputs, progress, and each pass landed', async () => {
    make(`
const given = prompt.match(/write (\\S+output\\.md)/)
if (given) { fs.writeFileSync(given[1], 'output of pass ' + times) }
const progress = prompt.match(/Read (\\S+progress\\.md)/)
note('progress', fs.readFileSync(progress[1], 'utf8').replaceAll('\\n', ' ⏎ '))
fs.appendFileSync(progress[1], '\\nnote of pass ' + times + '\\n')
answer({ task_id: null, status: 'continue', summary: 'pass ' + times, patterns: ['tests live in test/'] })`)
    const ended = await project.looper('pipeline', 'run', 'two', 'auth')
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
    const [first = '', second = '', third = ''] = prompts()
    expect(first).toContain('Session auth, pass 1 (0).')
    expect(second).toContain('Session auth, pass 2 (1).')
    expect(third).toMatch(/Inputs:.*output of pass 1.*output of pass 2.*By name:.*output of pass 2/)
    const progress = readFileSync(join(project.notes, 'progress'), 'utf8').trim().split('\n')
    expect(progress[0]).toContain('None so far.')
    expect(progress[2]).toMatch(/tests live in test.*note of pass 1.*note of pass 2/)
    expect(project.git('show', 'looper/001-auth:plan.md')).toBe('pass 3')
    expect(project.git('log', '--format=%s', 'HEAD..looper/001-auth').split('\n')).toEqual([
      'final 1: pass 3',
      'draft 2: pass 2',
      'draft 1: pass 1',
    ])
    expect(project.git('ls-tree', '-r', '--name-only', 'looper/001-auth')).not.toContain('.looper/loop')
    const run = join(project.root, '.looper/runs/001-auth')
    expect(readFileSync(join(run, 'outputs/draft/2.md'), 'utf8')).toBe('output of pass 2')
    expect(readFileSync(join(run, 'progress-full.md'), 'utf8')).toMatch(/draft 1[^]*draft 2[^]*final 1/)
    expect(await project.status('auth')).toMatchObject({ workflow: 'two', status: 'completed', stage: 'report' })
  })

  test('C3: a long output is kept whole; the next stage gets its beginning and the path of the rest', async () => {
    make(`
const given = prompt.match(/write (\\S+output\\.md)/)
if (given) fs.writeFileSync(given[1], 'begin ' + 'é'.repeat(100_000) + ' end of pass ' + times)
else note('whole', fs.readFileSync(prompt.match(/the whole is in (\\S+)\\)/)[1], 'utf8').slice(-20))
answer({ task_id: null, status: 'continue', summary: 'pass ' + times })`)
    expect(await project.looper('pipeline', 'run', 'two', 'auth')).toMatchObject({ code: 0 })
    const whole = readFileSync(join(project.root, '.looper/runs/001-auth/outputs/draft/2.md'), 'utf8')
    expect(whole).toBe(`begin ${'é'.repeat(100_000)} end of pass 2`)
    const last = prompts().at(-1) ?? ''
    expect(last).toMatch(/begin é+ .*\(cut after \d+ characters; the whole is in \S+\/outputs\/draft\/1\.md\)/)
    expect(last).not.toContain('end of pass')
    expect(last.length).toBeLessThan(200_000)
    // The agent of that stage could read it, from where it works.
    expect(readFileSync(join(project.notes, 'whole'), 'utf8')).toContain('end of pass 1')
  })

  test('C2: lines that a stage declares are an answer; the same words in prose are none', async () => {
    make(
      `process.stdout.write(times < 3 ? 'The PLATEAU: true of this is far.\\nPLATEAU: false\\n' : 'Nothing left.\\nPLATEAU: true\\nREASONING: it reads well\\n')`,
      {
        '.looper/stages/polish/stage.yaml':
          'name: polish\ndescription: p\ncompletion: plateau\nruns: 9\noutput_parse: plateau:PLATEAU reasoning:REASONING\n',
        '.looper/stages/polish/prompt.md': 'Polish. Read ${PROGRESS}. Say PLATEAU: true or false.\n',
      },
    )
    const ended = await project.looper('pipeline', 'run', 'polish')
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
    expect(prompts()).toHaveLength(4)
  })

  test("the seed's own files are read", async () => {
    make(`answer({ task_id: null, status: 'continue', summary: 'x', plateau: true })`, {
      'scripts/loops/mine/loop.yaml':
        'name: mine\ndescription: d\ncompletion: plateau\ndelay: 0\nmin_iterations: 2\noutput_parse: plateau:PLATEAU reasoning:REASONING\n',
      'scripts/loops/mine/prompt.md': 'Go. ${SESSION_NAME} ${PROGRESS_FILE}\n',
    })
    expect(await project.looper('pipeline', 'run', 'mine', 's', '5')).toMatchObject({ code: 0 })
    expect(prompts()).toHaveLength(2)
  })
})

describe('C6: sessions', () => {
  const failing = `if (times >= 3) process.exit(9); answer({ task_id: null, status: 'continue', summary: 'pass ' + times })`
  const one = {
    ...stageFiles,
    '.looper/stages/polish/stage.yaml': 'name: polish\ndescription: p\ncompletion: fixed-n\nruns: 25\n',
  }

  test('a failed session names the iteration, and resumes from there', async () => {
    make(failing, one)
    expect(await project.looper('pipeline', 'run', 'polish', 'auth')).toMatchObject({ code: 1 })
    const again = await project.looper('pipeline', 'run', 'polish', 'auth')
    expect(again).toMatchObject({ code: 2 })
    expect(again.stderr).toMatch(
      /Session 'auth' failed at iteration 3\/25\nLast successful iteration: 2\nError: .*crash.*\n {2}Run with --resume to continue from iteration 3 \(--force starts a new run\)\n/,
    )
    const resumed = await project.looper('pipeline', 'run', 'polish', 'auth', '--resume')
    expect(resumed).toMatchObject({ code: 1 })
    expect((await project.looper('runs', '--json')).stdout.match(/"id"/g)).toHaveLength(1)
    await project.looper('pipeline', 'run', 'polish', 'auth', '--force')
    expect((await project.looper('runs', '--json')).stdout.match(/"id"/g)).toHaveLength(2)
  })

  test('a live one is refused by name; --force stops it first; kill -9 leaves one that says so', async () => {
    make(`await sleep(60_000)`, one)
    const first = project.start('pipeline', 'run', 'polish', 'auth')
    while (!existsSync(join(project.notes, 'prompts'))) await new Promise((done) => setTimeout(done, 50))
    const second = await project.looper('pipeline', 'run', 'polish', 'auth')
    expect(second).toMatchObject({ code: 2 })
    expect(second.stderr).toContain('The run 001-auth holds the session "auth".')
    const taking = project.start('pipeline', 'run', 'polish', 'auth', '--force')
    await once(first, 'exit')
    while (prompts().length < 2) await new Promise((done) => setTimeout(done, 50))
    taking.kill('SIGKILL')
    await once(taking, 'exit')
    const crashed = await project.looper('pipeline', 'run', 'polish', 'auth')
    expect(crashed.stderr).toMatch(
      /Session 'auth' failed at iteration 1\/25\nLast successful iteration: 0\nError: the process ended unexpectedly\n/,
    )
    expect((await project.looper('abort', 'last')).code).toBe(0)
  })
})

test('C4: work, refine and ideate run the built-in stages', async () => {
  make(
    `
if (task) { write(task + '.txt', 'x'); answer({ task_id: task, status: 'done', summary: 'done ' + task }) }
else answer({ task_id: null, status: 'continue', summary: 'pass', plateau: true })`,
    {
      'to-do.json': JSON.stringify({
        schema_version: 1,
        tasks: [{ id: 'T1', title: 'one', priority: 1, status: 'todo' }],
      }),
    },
  )
  expect((await project.looper('work', 'auth', '5')).code).toBe(0)
  expect(JSON.parse(project.read('to-do.json'))).toMatchObject({ tasks: [{ status: 'done' }] })
  const nothing = await project.looper('work', 'more')
  expect(nothing).toMatchObject({ code: 0 })
  expect(nothing.stdout).toContain('completed')
  const ideas = await project.looper('ideate', '1')
  expect(ideas, ideas.stderr + ideas.stdout).toMatchObject({ code: 0 })
  const refined = await project.looper('refine', 'quick')
  expect(refined, refined.stderr + refined.stdout).toMatchObject({ code: 0 })
})

test('C4: edits of a pass in its copy of the backlog are merged into the backlog', async () => {
  make(
    `
const todo = JSON.parse(fs.readFileSync('to-do.json', 'utf8'))
todo.tasks[0].title = 'sharper ' + times
todo.tasks.push({ id: 'N' + times, title: 'found', priority: 5, status: 'todo' })
fs.writeFileSync('to-do.json', JSON.stringify(todo, null, 2))
answer({ task_id: null, status: 'continue', summary: 'sharpened' })`,
    {
      'to-do.json': JSON.stringify(
        { schema_version: 1, mine: true, tasks: [{ id: 'T1', title: 'one', priority: 1, status: 'todo' }] },
        null,
        2,
      ),
    },
  )
  const ended = await project.looper('pipeline', 'run', 'refine-tasks', 's', '2')
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(project.read('to-do.json'))).toMatchObject({
    mine: true,
    tasks: [{ id: 'T1', title: 'sharper 2' }, { id: 'N1' }, { id: 'N2' }],
  })
})

test('C4 A5: and when Looper is killed in the middle of that pass, too', async () => {
  make(
    `
while (times === 1 && !fs.existsSync(path.join(env.NOTES, 'go'))) await sleep(20)
const todo = JSON.parse(fs.readFileSync('to-do.json', 'utf8'))
todo.tasks.push({ id: 'N' + times, title: 'found' })
fs.writeFileSync('to-do.json', JSON.stringify(todo, null, 2))
answer({ task_id: null, status: 'continue', summary: 'sharpened' })`,
    { 'to-do.json': JSON.stringify({ schema_version: 1, tasks: [{ id: 'T1', title: 'one' }] }, null, 2) },
  )
  const first = project.start('pipeline', 'run', 'refine-tasks', 's', '2')
  while (!existsSync(join(project.notes, 'prompts'))) await new Promise((done) => setTimeout(done, 50))
  first.kill('SIGKILL')
  await once(first, 'exit')
  project.write('to-do.json', JSON.stringify({ schema_version: 1, tasks: [{ id: 'T1', title: 'by hand' }] }, null, 2))
  writeFileSync(join(project.notes, 'go'), '')
  const ended = await project.looper('resume')
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
  expect(prompts()).toHaveLength(2)
  expect(JSON.parse(project.read('to-do.json'))).toMatchObject({
    tasks: [{ id: 'T1', title: 'by hand' }, { id: 'N1' }, { id: 'N2' }],
  })
})

test('a check that cannot run stops a pipeline before its first turn, and the remedy leads on', async () => {
  make(`answer({ task_id: null, status: 'continue', summary: 'pass ' + times })`)
  project.configure({ checks: [{ name: 'test', run: 'no-such-runner --all' }], baseline: 'fix-first' })
  const { code, stdout, stderr } = await project.looper('pipeline', 'run', 'two', 'auth')
  expect(code).toBe(3)
  expect(existsSync(join(project.notes, 'prompts'))).toBe(false)
  expect(stdout).toContain(
    'paused · the check test (`no-such-runner --all`) cannot run: '
      + 'the program no-such-runner is not installed or not executable',
  )
  expect(stdout).toContain("looper config set checks '<command>'")
  expect(stderr).toContain('in a pipeline, "baseline": "fix-first" acts as "no-worse"')
  await project.looper('config', 'set', 'checks', 'true')
  const resumed = await project.looper('resume')
  expect(resumed, resumed.stdout + resumed.stderr).toMatchObject({ code: 0 })
  expect(prompts()).toHaveLength(3)
})
