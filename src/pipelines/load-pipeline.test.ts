import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { packageFolder, pipeline, projectWith, stage } from '../../test/kit/definitions.ts'
import { LooperError } from '../model/error.ts'
import type { LoopStage } from '../model/loop.ts'
import { loadPipeline } from './load-pipeline.ts'
import type { Where } from './find-definition.ts'

const stageIn = (where: Where, name: string): LoopStage => loadPipeline(name, { ...where, single: true }).stages[0]!

function refused(load: () => unknown): string {
  try {
    load()
  } catch (error) {
    expect(error).toBeInstanceOf(LooperError)
    return (error as LooperError).message
  }
  throw new Error('it was not refused')
}

const plain: LoopStage = {
  name: 'my',
  stage: 'my',
  description: 'What it does',
  prompt: 'Do it.',
  completion: { kind: 'fixed-n' },
  minIterations: 1,
  runs: 2,
  delaySeconds: 0,
  agent: null,
  model: null,
  perspectives: [],
  outputParse: [],
  checks: true,
}
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

describe('the files of loop-agents, as they are', () => {
  const pipelineYaml = `name: full-refine
description: Refine plan then beads
stages:
  - name: plan
    loop: improve-plan
    runs: 5
  - name: beads
    loop: refine-beads
    runs: 5
`
  const loopYaml = `name: my-stage
description: What this stage does
completion: plateau      # beads-empty, plateau, fixed-n, all-items
delay: 3                 # seconds between iterations
min_iterations: 1        # for plateau: start checking after this many
output_parse: plateau:PLATEAU reasoning:REASONING  # extract from output
`

  test('C1: a loop', () => {
    const where = projectWith({
      'scripts/loops/my-stage/loop.yaml': loopYaml,
      'scripts/loops/my-stage/prompt.md': 'Improve ${PROGRESS_FILE}.\n',
    })
    expect(stageIn(where, 'my-stage')).toEqual({
      ...plain,
      name: 'my-stage',
      stage: 'my-stage',
      description: 'What this stage does',
      prompt: 'Improve ${PROGRESS_FILE}.',
      completion: { kind: 'plateau' },
      runs: 25,
      delaySeconds: 3,
      outputParse: [
        { field: 'plateau', label: 'PLATEAU' },
        { field: 'reasoning', label: 'REASONING' },
      ],
    })
  })

  test('C3, C4: a pipeline of built-in stages, one of them by its other name', () => {
    const where = projectWith({ 'scripts/pipelines/full-refine.yaml': pipelineYaml })
    for (const name of ['full-refine', 'full-refine.yaml', 'scripts/pipelines/full-refine.yaml']) {
      expect(loadPipeline(name, where)).toMatchObject({
        name: 'full-refine',
        description: 'Refine plan then beads',
        stages: [
          { name: 'plan', stage: 'improve-plan', runs: 5, completion: { kind: 'plateau' } },
          { name: 'beads', stage: 'refine-tasks', runs: 5, completion: { kind: 'plateau' } },
        ],
      })
    }
  })

  test("C4: the project's own loop goes before the built-in stage of that name", () => {
    const where = projectWith({
      'scripts/pipelines/full-refine.yaml': pipelineYaml,
      'scripts/loops/refine-beads/loop.yaml': loopYaml,
      'scripts/loops/refine-beads/prompt.md': 'With bd.',
    })
    expect(loadPipeline('full-refine', where).stages[1]).toMatchObject({
      stage: 'refine-beads',
      prompt: 'With bd.',
      delaySeconds: 3,
    })
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

describe('hostile definitions are refused with their place', () => {
  const all = (
    yaml: string,
    files: Record<string, string | Uint8Array> = {},
    prompt: string | null = '${ITEM}',
  ): string =>
    refused(() =>
      loadPipeline(
        'my',
        projectWith({ ...stage('my', `description: d\ncompletion: all-items\n${yaml}\n`, prompt), ...files }),
      ),
    )
  const at = '.looper/stages/my/stage.yaml'

  test.each([
    ['items_from: ../secret', `${at}:3: "../secret" leads out of the project [P002]`],
    ['items_from: /etc/passwd', `${at}:3: "/etc/passwd" leads out of the project [P002]`],
    [
      'items_from: ../../../../../../../../etc/passwd',
      `${at}:3: "../../../../../../../../etc/passwd" leads out of the project [P002]`,
    ],
    ['items_from: .looper', `${at}:3: ".looper" is a folder, not a file [P001]`],
    ['items_from: "a\\0b"', `${at}:3: "items_from" must be a text, not "ab" [P005]`],
    [`items_from: ${'x'.repeat(5_000)}`, `${at}:3: "${'x'.repeat(59)}…" has too long a name [P001]`],
    ['items_from: bytes', `${at}:3: "bytes" is not UTF-8 [P001]`],
    ['items_from: huge', `${at}:3: "huge" is larger than 4096 kB [P001]`],
    ['items_from: many', `${at}:3: "many" has more than 10000 items [P005]`],
    [
      'items: [a]\nprompt: ../../../../../../../../etc/hosts.md',
      `${at}:4: the prompt hosts.md leads out of the project [P002]`,
    ],
    ['items: [a]\nprompt: /etc/hosts.md', `${at}:4: the prompt hosts.md leads out of the project [P002]`],
    [
      'items: [a]\nname: ../x',
      `${at}:4: "../x" is no name: letters, digits, ".", "_" and "-", beginning with a letter or a digit, at most 64 [P007]`,
    ],
    ['items: [a]\n__proto__: { polluted: true }', `${at}:4: unknown key "__proto__" [P004]`],
    ['items: [a]\nconstructor: x', `${at}:4: unknown key "constructor" [P004]`],
    ['items: [a]\ntoString: x', `${at}:4: unknown key "toString" [P004]`],
    ['items: [a]\n<<: { runs: 3 }', `${at}:4: unknown key "<<" [P004]`],
    ['items: [a]\n"x\\e[2Jy": 1', `${at}:4: unknown key "xy" [P004]`],
    ['items: [[a]]', `${at}:3: "items" must be a list of texts, not a list [P005]`],
    ['items: [a]\nruns: 1e9', `${at}:4: "runs" must be a whole number from 1 to 10000, not "1e9" [P005]`],
    ['items: [a]\nruns: .inf', `${at}:4: "runs" must be a whole number from 1 to 10000, not ".inf" [P005]`],
    ['items: [a]\ndelay: -1', `${at}:4: "delay" must be a number from 0 to 86400, not "-1" [P005]`],
    ['items: [a]\ndelay: .nan', `${at}:4: "delay" must be a number from 0 to 86400, not ".nan" [P005]`],
  ])('%#', (yaml, message) => {
    const files = {
      bytes: new Uint8Array([0xc3, 0x28]),
      huge: 'x'.repeat(4 * 1024 * 1024 + 1),
      many: 'x\n'.repeat(10_001),
    }
    expect(all(yaml, files)).toBe(message)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test.each([
    ['larger than 256 kB', `description: ${'x'.repeat(256 * 1024)}\n`, 'the file is larger than 256 kB [P001]'],
    ['not UTF-8', new Uint8Array([0xff, 0xfe]), 'the file is not UTF-8 [P001]'],
    ['empty', '', 'a definition is a map of keys [P003]'],
    ['a list', '- a\n', 'a definition is a map of keys [P003]'],
    ['aliases', 'a: &a [b]\nb: *a\n', 'aliases like *a are not read here; write it out [P003]'],
    ['nested', '['.repeat(100_000), 'nested too deeply [P003]'],
  ])('a file that is %s', (_name, content, message) => {
    const [place, ...told] = refused(() =>
      loadPipeline('my', projectWith({ '.looper/stages/my/stage.yaml': content })),
    ).split(': ')
    expect(place).toMatch(/^\.looper\/stages\/my\/stage\.yaml:\d$/)
    expect(told.join(': ')).toBe(message)
  })

  test('links that lead out of the project: prompt, items, the stage itself', () => {
    const outside = projectWith({
      'secret.md': 'secret ${ITEM}',
      'stage/stage.yaml': 'description: d\ncompletion: fixed-n\nruns: 1\n',
      'stage/prompt.md': 'x',
    })
    const where = projectWith({
      ...stage('my', 'description: d\ncompletion: all-items\nitems: [a]\n', null),
      ...stage('it', 'description: d\ncompletion: all-items\nitems_from: in\n', '${ITEM}'),
    })
    symlinkSync(join(outside.root, 'secret.md'), join(where.root, '.looper/stages/my/prompt.md'))
    symlinkSync(join(outside.root, 'secret.md'), join(where.root, 'in'))
    symlinkSync(join(outside.root, 'stage'), join(where.root, '.looper/stages/far'))
    expect(refused(() => loadPipeline('my', where))).toBe(
      `${at}:1: the prompt prompt.md leads out of the project [P002]`,
    )
    expect(refused(() => loadPipeline('it', where))).toBe(
      '.looper/stages/it/stage.yaml:3: "in" leads out of the project [P002]',
    )
    expect(refused(() => loadPipeline('far', where))).toBe(
      '.looper/stages/far/stage.yaml:1: the file leads out of the project [P002]',
    )
  })

  test('a link in a circle, a pipe', () => {
    const where = projectWith({ ...stage('my', 'description: d\ncompletion: fixed-n\nruns: 1\n', null) })
    const prompt = join(where.root, '.looper/stages/my/prompt.md')
    execFileSync('sh', ['-c', 'mkfifo "$0"', prompt])
    expect(refused(() => loadPipeline('my', where))).toBe(`${at}:1: the prompt prompt.md is not a regular file [P001]`)
    mkdirSync(join(where.root, '.looper/stages/o'))
    symlinkSync('o.yaml', join(where.root, 'o.yaml'))
    writeFileSync(
      join(where.root, '.looper/stages/o/stage.yaml'),
      'description: d\ncompletion: all-items\nitems_from: o.yaml\nprompt: x ${ITEM}\n',
    )
    expect(refused(() => loadPipeline('o', where))).toBe(
      '.looper/stages/o/stage.yaml:3: "o.yaml" is a symbolic link that goes in circles [P001]',
    )
  })

  test.each([
    [
      'a hundred and one stages',
      `description: d\nstages:\n${'  - { stage: work }\n'.repeat(101)}`,
      ':2: more than 100 stages [P005]',
    ],
    ['a stage by a path', 'description: d\nstages:\n  - stage: ../../etc\n', ':3: "../../etc" is no name'],
    [
      'a stage that is no map',
      'description: d\nstages:\n  - work\n',
      ':3: a stage is a map with "name" and "stage" [P005]',
    ],
    ['stages that are no list', 'description: d\nstages: work\n', ':2: "stages" must be a list of stages [P005]'],
  ])('%s', (_name, yaml, message) => {
    expect(refused(() => loadPipeline('flow', projectWith(pipeline('flow', yaml))))).toContain(
      `.looper/pipelines/flow.yaml${message}`,
    )
  })

  test('of several mistakes, the first is reported and the others are counted', () => {
    expect(all('itmes: [a]\nruns: no\nfoo: 1')).toBe(
      `${at}:3: unknown key "itmes" (did you mean "items"?) [P004] (and 2 more)`,
    )
  })
})
