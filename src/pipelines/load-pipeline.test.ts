import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { packageFolder, pipeline, projectWith, stage } from '../../test/kit/definitions.ts'
import { plain, refused, stageIn } from '../../test/kit/loaded-stages.ts'
import type { LoopStage } from '../model/loop.ts'
import { loadPipeline } from './load-pipeline.ts'

const head = 'name: my\ndescription: What it does\n'

describe('C1: a stage is a prompt and a completion', () => {
  test.each<[string, Partial<LoopStage>]>([
    ['completion: fixed-n\nruns: 2', {}],
    ['completion: fixed-n\nmax_iterations: 2', {}],
    ['completion: fixed-n\nmaxIterations: 2', {}],
    ['completion: fixed-n', { runs: 5 }],
    ['completion: plateau', { completion: { kind: 'plateau' }, runs: 25 }],
    ['completion: plateau\nmin_iterations: 3', { completion: { kind: 'plateau' }, runs: 25, minIterations: 3 }],
    ['completion: plateau\nminIterations: 3', { completion: { kind: 'plateau' }, runs: 25, minIterations: 3 }],
    ['completion: tasks-empty', { completion: { kind: 'tasks-empty', source: 'todo-file' }, runs: 25 }],
    [
      'completion: tasks-empty\nsource: claude-tasks',
      { completion: { kind: 'tasks-empty', source: 'claude-tasks' }, runs: 25 },
    ],
    ['completion: beads-empty\nruns: 9', { completion: { kind: 'tasks-empty', source: 'beads' }, runs: 9 }],
    [
      'completion: all-items\nitems: [a, 2, 1.10]',
      { completion: { kind: 'all-items', items: ['a', '2', '1.10'] }, runs: 3 },
    ],
    ['completion: all-items\nitems: [a, b]\nruns: 1', { completion: { kind: 'all-items', items: ['a'] }, runs: 1 }],
    [
      'completion: all-items\nitems: [a, b]\nruns: 9',
      { completion: { kind: 'all-items', items: ['a', 'b'] }, runs: 2 },
    ],
    [
      'completion: all-items\nitems_from: docs/list.txt',
      { completion: { kind: 'all-items', items: ['#1', 'two words'] }, runs: 2 },
    ],
    ['completion: judge', { completion: { kind: 'judge', confidence: 0.5 }, runs: 25 }],
    ['completion: judge\nconfidence: 0.9', { completion: { kind: 'judge', confidence: 0.9 }, runs: 25 }],
    ['completion: until\nuntil: npm test', { completion: { kind: 'until', command: 'npm test' }, runs: 25 }],
    [
      'completion: fixed-n\nruns: 2\ndelay: 1.5\nmodel: 4.10\nagent: codex\nchecks: false',
      { delaySeconds: 1.5, model: '4.10', agent: 'codex', checks: false },
    ],
    ['completion: fixed-n\nruns: 2\nperspectives: [a, b c]', { perspectives: ['a', 'b c'] }],
    [
      'completion: fixed-n\nruns: 2\noutput_parse: status:<promise>',
      { outputParse: [{ field: 'status', label: '<promise>' }] },
    ],
    [
      'completion: fixed-n\nruns: 2\noutputParse: { plateau: DONE }',
      { outputParse: [{ field: 'plateau', label: 'DONE' }] },
    ],
    ['completion: fixed-n\nruns: 2\nprompt: |\n  Say ${ITEM}\n    twice', { prompt: 'Say ${ITEM}\n  twice' }],
    ['completion: fixed-n\nruns: 2\nprompt: other.md', { prompt: 'Something else.' }],
  ])('%j', (yaml, expected) => {
    const where = projectWith({
      ...stage('my', `${head}${yaml}\n`),
      '.looper/stages/my/other.md': 'Something else.\n',
      'docs/list.txt': '#1\r\n\r\n  two words \n',
    })
    expect(stageIn(where, 'my')).toEqual({ ...plain, ...expected })
  })

  test('it becomes a pipeline of one', () => {
    const where = projectWith(stage('my', `${head}completion: fixed-n\nruns: 2\n`))
    expect(loadPipeline('my', where)).toEqual({ name: 'my', description: 'What it does', stages: [plain] })
    expect(loadPipeline('my', { ...where, runs: 7 }).stages).toMatchObject([{ runs: 7 }])
    expect(refused(() => loadPipeline('my', { ...where, runs: 0 }))).toBe(
      'the number of runs must be from 1 to 10000, not 0',
    )
  })
})

describe('C3: pipelines', () => {
  test('what the pipeline says wins, setting by setting', () => {
    const where = projectWith({
      ...stage('my', `${head}completion: fixed-n\nruns: 2\ndelay: 3\nmodel: opus\n`),
      ...pipeline(
        'flow',
        `description: All of it
stages:
  - name: one
    loop: my
    runs: 4
  - stage: my
    model: haiku
    agent: codex
    delay: 0
    completion: plateau
    min_iterations: 2
    perspectives: [fast, safe]
    checks: false
  - name: last
    prompt: |
      Sum up:
      \${INPUTS}
`,
      ),
    })
    expect(loadPipeline('flow', where)).toEqual({
      name: 'flow',
      description: 'All of it',
      stages: [
        { ...plain, name: 'one', runs: 4, delaySeconds: 3, model: 'opus' },
        {
          ...plain,
          model: 'haiku',
          agent: 'codex',
          completion: { kind: 'plateau' },
          minIterations: 2,
          perspectives: ['fast', 'safe'],
          checks: false,
        },
        { ...plain, name: 'last', stage: 'last', description: '', prompt: 'Sum up:\n${INPUTS}', runs: 1 },
      ],
    })
    expect(loadPipeline('flow', { ...where, runs: 6 }).stages.map(({ runs }) => runs)).toEqual([6, 6, 6])
  })

  test('items of the pipeline replace those of the stage, whatever way either gives them', () => {
    const where = projectWith({
      ...stage('my', `${head}completion: all-items\nitems_from: list.txt\n`, 'Do ${ITEM}.'),
      'list.txt': 'a\n',
      ...pipeline('flow', 'description: x\nstages:\n  - { stage: my }\n  - { name: two, stage: my, items: [x, y] }\n'),
    })
    expect(loadPipeline('flow', where).stages.map(({ completion }) => completion)).toEqual([
      { kind: 'all-items', items: ['a'] },
      { kind: 'all-items', items: ['x', 'y'] },
    ])
  })
})

describe('C8: where it is looked for', () => {
  const yaml = (text: string): string => `description: ${text}\ncompletion: fixed-n\nruns: 1\n`

  test('project, then loop-agents, then built-in', () => {
    const own = stage('work', yaml('own'))
    const old = { 'scripts/loops/work/loop.yaml': yaml('old'), 'scripts/loops/work/prompt.md': 'x' }
    expect(stageIn(projectWith({ ...own, ...old }), 'work').description).toBe('own')
    expect(stageIn(projectWith(old), 'work').description).toBe('old')
    expect(stageIn(projectWith({}), 'work').description).toMatch(/^Carry out/)
  })

  test('a pipeline goes before a stage of its name, unless the stage is asked for', () => {
    const where = projectWith({
      ...stage('both', yaml('stage')),
      ...pipeline('both', 'description: pipeline\nstages: [{ stage: both }]\n'),
    })
    expect(loadPipeline('both', where).description).toBe('pipeline')
    expect(loadPipeline('both', { ...where, single: true }).description).toBe('stage')
  })

  test('a path: of a pipeline, of a stage, of the folder of a stage, from the current folder, also outside the project', () => {
    const where = projectWith({
      'a/flow.yaml': 'description: d\nstages: [{ stage: work }]\n',
      'a/s/stage.yaml': yaml('s'),
      'a/s/prompt.md': 'x',
      'a/one.yaml': `${yaml('one')}prompt: hi\n`,
    })
    expect(loadPipeline('a/flow.yaml', where)).toMatchObject({ name: 'flow', stages: [{ name: 'work' }] })
    expect(loadPipeline('flow.yaml', { ...where, cwd: join(where.root, 'a') }).name).toBe('flow')
    expect(loadPipeline('a/s/stage.yaml', where)).toMatchObject({ name: 's', stages: [{ name: 's' }] })
    expect(loadPipeline('./a/s', where).name).toBe('s')
    expect(loadPipeline('a/one.yaml', where)).toMatchObject({ name: 'one', stages: [{ prompt: 'hi' }] })
    expect(loadPipeline(join(where.root, 'a/flow.yaml'), projectWith({})).name).toBe('flow')
  })

  test.each([
    ['worc', 'there is no pipeline or stage "worc" (did you mean "work"?)'],
    ['ful-refine', 'there is no pipeline or stage "ful-refine" (did you mean "full-refine"?)'],
    ['refine-bead', 'there is no pipeline or stage "refine-bead" (did you mean "refine-beads"?)'],
    ['zzz', 'there is no pipeline or stage "zzz"'],
    ['../work', 'there is no pipeline or stage "../work" (did you mean "work"?)'],
    ['stages/../../x.yaml', 'there is no pipeline or stage "stages/../../x.yaml"'],
    ['constructor', 'there is no pipeline or stage "constructor"'],
    ['__proto__', 'there is no pipeline or stage "__proto__"'],
    ['', 'there is no pipeline or stage ""'],
    ['a\0/b', 'there is no pipeline or stage "a/b"'],
    ['x'.repeat(300), `there is no pipeline or stage "${'x'.repeat(59)}…"`],
  ])('%# %.40s is not there', (name, message) => {
    expect(refused(() => loadPipeline(name, projectWith({})))).toBe(message)
  })
})

describe('C4: built-in', () => {
  test.each([
    ['work', { completion: { kind: 'tasks-empty', source: 'todo-file' }, checks: true }],
    ['improve-plan', { completion: { kind: 'plateau' }, minIterations: 2 }],
    ['refine-tasks', { completion: { kind: 'plateau' }, minIterations: 2 }],
    ['refine-beads', { name: 'refine-tasks', completion: { kind: 'plateau' } }],
    ['idea-wizard', { completion: { kind: 'fixed-n' }, runs: 5 }],
  ])('the stage %s', (name, expected) => {
    expect(stageIn(projectWith({}), name)).toMatchObject(expected)
  })

  test.each([
    ['quick-refine', 3],
    ['full-refine', 5],
    ['deep-refine', 8],
  ])('%s: at most %i iterations each', (name, runs) => {
    expect(loadPipeline(name, projectWith({})).stages.map((each) => [each.name, each.stage, each.runs])).toEqual([
      ['plan', 'improve-plan', runs],
      ['tasks', 'refine-tasks', runs],
    ])
  })

  test('they are in the package', () => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: packageFolder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const files = (JSON.parse(packed) as { files: { path: string }[] }[])[0]!.files.map(({ path }) => path)
    const wanted = [
      ...readdirSync(join(packageFolder, 'pipelines')).map((file) => `pipelines/${file}`),
      ...readdirSync(join(packageFolder, 'stages')).flatMap((name) => [
        `stages/${name}/stage.yaml`,
        `stages/${name}/prompt.md`,
      ]),
    ]
    expect(wanted).toHaveLength(11)
    expect(wanted.filter((path) => !files.includes(path))).toEqual([])
  })
})
