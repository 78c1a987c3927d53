/**
 * Stages and pipelines from the command line: listed, judged and shown by the built program, and nothing of it runs or
 * writes anything.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DryRun } from '../../src/views/pipelines/dry-run.ts'
import type { LintReport } from '../../src/views/pipelines/lint.ts'
import type { DefinitionRow } from '../../src/views/pipelines/definitions.ts'
import { call, projects } from '../kit/outside.ts'
import type { Project } from '../kit/project.ts'

const create = projects()
let project: Project

beforeAll(() => {
  project = create({
    agent: 'note("started", "an agent")',
    config: { agent: 'test', roles: { iterator: { model: 'small' } } },
  })
  project.write(
    '.looper/stages/greet/stage.yaml',
    'name: greet\ndescription: Say hello\ncompletion: all-items\nitems_from: people.txt\nperspectives: [a friend, a stranger]\n',
  )
  project.write(
    '.looper/stages/greet/prompt.md',
    'Greet ${ITEM} as ${PERSPECTIVE} in ${SESSION}, ${ITERATION} of ${INDEX}, for ${GOAL}. Write to ${OUTPUT}. ${HOME}\u001B[2J\n',
  )
  project.write('people.txt', 'Ada\nGrace\n')
  project.write(
    '.looper/pipelines/party.yaml',
    `name: party
description: Hello and goodbye
stages:
  - name: hello
    stage: greet
  - name: bye
    stage: work
    agent: claude
    model: opus
    completion: until
    until: test -e done
    runs: 3
    prompt: |
      After \${INPUTS} and \${INPUTS.hello}.
`,
  )
  project.write(
    'scripts/loops/work/loop.yaml',
    'name: work\ndescription: Our own work\ncompletion: beads-empty\ndelay: 3\n',
  )
  project.write('scripts/loops/work/prompt.md', 'Work in ${SESSION_NAME}.\n')
  project.write('.looper/stages/broken/stage.yaml', 'description: Broken\ncompletion: plataeu\n')
  project.write('.looper/stages/broken/prompt.md', 'Fix me.\n')
})

/** Every file with its content, but git's own. */
function everything(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('.git/'))
      .map((path) => [path, statSync(join(folder, path)).isFile() ? readFileSync(join(folder, path), 'utf8') : '']),
  )
}

describe('C8: looper pipeline ls', () => {
  test('for people', async () => {
    const { code, stdout, stderr } = await project.looper('pipeline', 'ls')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^stages\n {2}broken +project +\.looper\/stages\/broken\/stage\.yaml:2: "completion" must be/,
    )
    expect(stdout).toMatch(/\n {2}refine-tasks, refine-beads +built-in +plateau /)
    expect(stdout).toMatch(/\n {2}work +project +beads-empty +Our own work\n/)
    expect(stdout).toMatch(/\npipelines\n[^]*\n {2}party +project +greet 2 → work 3 +Hello and goodbye\n/)
  })

  test('--json', async () => {
    const rows = JSON.parse((await project.looper('pipeline', 'ls', '--json')).stdout) as DefinitionRow[]
    expect(rows.map(({ kind, name, source }) => `${kind} ${name} ${source}`)).toEqual([
      'stage broken project',
      'stage greet project',
      'stage idea-wizard built-in',
      'stage improve-plan built-in',
      'stage refine-tasks built-in',
      'stage work project',
      'pipeline deep-refine built-in',
      'pipeline full-refine built-in',
      'pipeline party project',
      'pipeline quick-refine built-in',
    ])
    expect(rows.find(({ name }) => name === 'work')).toEqual({
      kind: 'stage',
      name: 'work',
      aliases: [],
      source: 'project',
      file: 'scripts/loops/work/loop.yaml',
      description: 'Our own work',
      completion: 'beads-empty',
      stages: [{ name: 'work', stage: 'work', completion: 'beads-empty', runs: 25 }],
      problem: null,
    })
  })

  test('from a subfolder, and outside a repository', async () => {
    mkdirSync(join(project.root, 'deep/er'), { recursive: true })
    expect((await call(project, ['pipeline', 'ls'], { cwd: join(project.root, 'deep/er') })).stdout).toContain('party')
    const folder = mkdtempSync(join(tmpdir(), 'looper-nowhere-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { code, stdout } = await call(project, ['pipeline', 'ls'], { cwd: folder })
    expect(code).toBe(0)
    expect(stdout).toContain('full-refine')
    expect(stdout).not.toContain('party')
  })
})

describe('C8: looper pipeline lint', () => {
  test('errors: exit 2, with file and line', async () => {
    const { code, stdout, stderr } = await project.looper('pipeline', 'lint')
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
    expect(stdout).toMatch(
      /^\.looper\/stages\/broken\/stage\.yaml:2 +error +P005 +"completion" must be one of .* not "plataeu" \(did you mean "plateau"\?\)$/m,
    )
    expect(stdout).toMatch(/^\.looper\/stages\/greet\/prompt\.md:1 +warning +P021 +unknown variable \$\{HOME\}$/m)
    expect(stdout).toMatch(/\n10 definitions: 1 error, 1 warning\n$/)
  })

  test('warnings alone: exit 0', async () => {
    const { code, stdout } = await project.looper('pipeline', 'lint', 'party', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      checked: ['.looper/pipelines/party.yaml'],
      errors: 0,
      warnings: 1,
      findings: [
        {
          code: 'P021',
          severity: 'warning',
          file: '.looper/stages/greet/prompt.md',
          line: 1,
          message: 'unknown variable ${HOME}',
        },
      ],
    } satisfies LintReport)
  })

  test.each([
    [['pipeline', 'lint', 'full-refine.yaml'], 0, /^1 definition: no problems\n$/],
    [['pipeline', 'lint', '.looper/pipelines/party.yaml'], 0, /1 definition: 0 errors, 1 warning\n$/],
    [['lint', 'loop', 'work'], 0, /^1 definition: no problems\n$/],
    [['lint', 'stage', 'broken'], 2, /P005/],
    [['lint', 'pipeline'], 0, /\n4 definitions: 0 errors, 1 warning\n$/],
    [['lint', 'loop'], 2, /\n6 definitions: 1 error, 1 warning\n$/],
  ])('looper %j', async (argv, code, stdout) => {
    expect(await project.looper(...argv)).toEqual({ code, stdout: expect.stringMatching(stdout), stderr: '' })
  })

  test.each([
    [
      ['pipeline', 'lint', 'prty'],
      'there is no pipeline or stage "prty" (did you mean "party"?)\n  `looper pipeline ls` lists what there is.',
    ],
    [['lint', 'pipeline', 'work'], 'there is no pipeline "work"\n  `looper pipeline ls` lists what there is.'],
    [['lint', 'work'], "lint takes loop, stage or pipeline, not 'work'\n  Try `looper pipeline lint work`."],
    [
      ['pipeline', 'dry-run', 'broken'],
      /^\.looper\/stages\/broken\/stage\.yaml:2: "completion" must be one of .* \[P005\]\n {2}`looper pipeline lint` says what is wrong, and where\.$/,
    ],
    [['pipeline', 'dry-run', 'work', '../x'], /^"\.\.\/x" cannot be the name of a session\n/],
    [['pipeline', 'dry-run', 'work', 'auth', 'many'], /^runs takes a whole number, not 'many'\n/],
    [['pipeline', 'dry-run', 'work', 'auth', '0'], /^the number of runs must be from 1 to 10000, not 0\n/],
    [['pipeline', 'dry-run'], "missing required argument 'name'\n  Run `looper pipeline dry-run --help`."],
    [['pipeline'], 'pipeline needs a command: run, ls, lint, dry-run\n  Run `looper pipeline --help`.'],
  ])('looper %j is refused', async (argv, message) => {
    const { code, stdout, stderr } = await project.looper(...argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const told = stderr.replace(/^looper: /, '').replace(/\n$/, '')
    if (typeof message === 'string') expect(told).toBe(message)
    else expect(told).toMatch(message)
  })
})

describe('C8: looper pipeline dry-run', () => {
  test('shows stages, completions, agents and the first prompts, runs nothing and writes nothing', async () => {
    const before = everything(project.root)
    const { code, stdout, stderr } = await project.looper('pipeline', 'dry-run', 'party', 'birthday', '--goal', 'joy')
    expect(code).toBe(0)
    expect(stderr).toBe('! .looper/stages/greet/prompt.md:1: unknown variable ${HOME}\n')
    expect(stdout).toBe(`party  Hello and goodbye
session birthday, 2 stages; nothing is run

1. hello (greet)  Say hello
   runs         once for each of 2 items
   agent        test, model small
   perspectives a friend; a stranger
   checks       run on the changes of each iteration
----- first prompt -----------------------------------------
Greet Ada as a friend in birthday, 1 of 0, for joy. Write to .looper/loop/output.md. \${HOME}
----- end --------------------------------------------------

2. bye (work)  Our own work
   runs         until \`test -e done\` exits 0, at most 3 iterations
   agent        claude, model opus
   delay        3 s between iterations
   checks       run on the changes of each iteration
----- first prompt -----------------------------------------
After (what the stage hello writes) and (what the stage hello writes).
----- end --------------------------------------------------
`)
    expect(everything(project.root)).toEqual(before)
    expect(readdirSync(project.notes)).toEqual([])
  })

  test('--json: a stage by itself, with a session and runs', async () => {
    const told = JSON.parse(
      (await project.looper('pipeline', 'dry-run', 'work', 'auth', '7', '--json')).stdout,
    ) as DryRun
    expect(told).toEqual({
      name: 'work',
      description: 'Our own work',
      session: 'auth',
      findings: [],
      stages: [
        {
          name: 'work',
          stage: 'work',
          description: 'Our own work',
          prompt: 'Work in auth.',
          completion: { kind: 'tasks-empty', source: 'beads' },
          minIterations: 1,
          runs: 7,
          delaySeconds: 3,
          agent: 'test',
          model: 'small',
          perspectives: [],
          outputParse: [],
          checks: true,
          unknown: [],
        },
      ],
    })
  })

  test('an agent that Looper cannot start is reported', async () => {
    project.write('.looper/pipelines/odd.yaml', 'description: x\nstages: [{ stage: work, agent: unknown }]\n')
    onTestFinished(() => rmSync(join(project.root, '.looper/pipelines/odd.yaml')))
    const { code, stderr } = await project.looper('pipeline', 'dry-run', 'odd')
    expect(code).toBe(2)
    expect(stderr).toContain('a stage names the agent "unknown", which Looper does not know how to start')
  })
})
