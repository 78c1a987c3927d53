/** The question before the first run in a repository, asked and answered on a real terminal. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { follow } from '../kit/live.ts'
import { beside, call, projects } from '../kit/outside.ts'
import type { Ended, Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
const create = projects()
const quick = { review: false, checks: [{ name: 'test', run: 'true' }], limits: { costUsd: 3, timeMinutes: 30 } }
const question = 'Start the run? [y]es, [n]o, [e]dit the configuration: '
const first = 'Looper asks once in this repository.'

const onTerminal = (
  project: Project,
  args: string[],
  typed: [string, string][] = [],
  env: Record<string, string> = {},
  columns = 80,
): Promise<Ended> => call(project, args, { terminal: true, typed, env, columns })

const hasRun = ({ root }: Project): boolean => existsSync(join(root, '.looper/runs'))
const consents = ({ root }: Project): string[] => {
  const folder = join(dirname(root), '.local/state/looper/consent')
  return existsSync(folder) ? readdirSync(folder) : []
}

test('G1: the first time: what agents may do, at which cost, proved by what; yes is remembered', async () => {
  const project = create({ config: quick })
  const { code, stdout } = await onTerminal(project, ['run', 'make two files', '--no-color'], [[question, 'y\r']])
  expect(code).toBe(0)
  const [asked = ''] = stdout.split(question)
  expect(asked.replaceAll(/\s+/g, ' ')).toMatch(
    new RegExp(
      '^Looper asks once in this repository\\. This is what a run may do: '
        + 'agents test changes files and runs commands without asking you '
        + 'rights agents run any command with your rights, .+ '
        + 'cost at most \\$3\\.00 · 30m 00s '
        + 'proof test \\(true\\) · configured · must pass before a change lands '
        + 'result on the branch looper/001-make-two-files; your own branch and files stay',
    ),
  )
  expect(asked.split('\r\n').filter((line) => line.length > 80)).toEqual([])
  expect(consents(project)).toHaveLength(1)
  expect(project.git('status', '--porcelain', '--ignored').includes('consent')).toBe(false)

  const again = await onTerminal(project, ['run', 'make two files'])
  expect(again.code).toBe(0)
  expect(again.stdout).not.toContain(question)

  const wider = await onTerminal(project, ['run', 'again', '--in-place', '--no-color'], [[question, 'n\r']])
  expect({ code: wider.code, stdout: wider.stdout.replaceAll(/\s+/g, ' ') }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/This run may do more than you agreed to .+ new agents edit your checkout /),
  })
})

test.each([
  ['no', 'n\r'],
  ['an empty answer', '\r'],
  ['the end of the input', '\u0004'],
])('%s: nothing is started, exit 1, and it is asked again', async (_, text) => {
  const project = create({ config: quick })
  const { code, stdout } = await onTerminal(project, ['run', 'make two files'], [[question, text]])
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/Nothing was started\.\r\n$/) })
  expect([hasRun(project), consents(project)]).toEqual([false, []])
})

test('edit opens the configuration, then asks again about what it says now', async () => {
  const project = create({ config: quick })
  const editor = beside(project, 'editor', '#!/bin/sh\nsed -i s/true/echo\\ edited/ "$2" && echo "$1" > "$HOME/how"\n')
  const { code, stdout } = await onTerminal(
    project,
    ['run', 'make two files', '--no-color'],
    [
      [question, 'e\r'],
      [question, 'n\r'],
    ],
    { EDITOR: `${editor} --wait` },
  )
  expect(code).toBe(1)
  const [before = '', after = ''] = stdout.split(question)
  expect([before.includes('test (true)'), after.includes('test (echo edited)')]).toEqual([true, true])
  expect(readFileSync(join(dirname(project.root), 'how'), 'utf8')).toBe('--wait\n')
  expect([hasRun(project), consents(project)]).toEqual([false, []])
})

test('an editor that fails: one line, exit 2, and nothing is started', async () => {
  const project = create({ config: quick })
  const { code, stdout } = await onTerminal(project, ['run', 'x y'], [[question, 'e\r']], { EDITOR: 'false' })
  expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('The editor "false" failed (exit 1)') })
  expect(hasRun(project)).toBe(false)
})

describe('nothing is asked', () => {
  test.each<[string, string[], Record<string, string>]>([
    ['with --yes', ['--yes'], {}],
    ['in CI', [], { CI: 'true' }],
    ['for a dry run', ['--dry-run'], {}],
  ])('%s', async (_, more, env) => {
    const project = create({ config: quick })
    const { code, stdout } = await onTerminal(project, ['run', 'make two files', ...more], [], env)
    expect(code).toBe(0)
    expect(stdout).not.toContain(first)
    expect(consents(project)).toEqual([])
  })

  test('without a terminal', async () => {
    const project = create({ config: quick })
    const { code, stdout, stderr } = await project.looper('run', 'make two files')
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining(first)])
  })
})

describe('a backlog that does not exist (N9)', () => {
  const said = 'to-do.json does not exist: an agent writes its tasks from what it finds in the repository'
  const words = (text: string): string => text.replaceAll(/\s+/g, ' ')

  test('the card says that it would be invented, and a person is asked each time', async () => {
    const project = create({ config: quick })
    const dry = await project.looper('run', '--workflow', 'backlog', '--dry-run')
    expect(dry.stdout).toContain(`backlog ${said}, then they are carried out`)
    for (let nth = 0; nth < 2; nth += 1) {
      const { code, stdout } = await onTerminal(project, ['run', '--workflow', 'backlog'], [[question, 'n\r']])
      expect([code, words(stdout)]).toEqual([1, expect.stringContaining(said)])
    }
    expect([hasRun(project), existsSync(join(project.root, 'to-do.json'))]).toEqual([false, false])
  })

  test('without a terminal it is invented only with --yes or in CI', async () => {
    const project = create({ config: quick })
    const refused = await follow(project.startThrough([], { CI: '' }, 'run', '--workflow', 'backlog')).ended
    expect([refused.code, words(refused.stderr)]).toEqual([2, expect.stringContaining('Add --yes to confirm')])
    expect(words(refused.stderr)).toContain(said)
    expect([hasRun(project), existsSync(join(project.root, 'to-do.json'))]).toEqual([false, false])
    for (const [args, CI] of [
      [['--yes'], ''],
      [[], 'true'],
    ] as const) {
      const started = project.startThrough([], { CI }, 'run', '--workflow', 'backlog', '--turns', '0', ...args)
      expect((await follow(started).ended).code).toBe(3)
    }
  })

  test('with a goal it is asked for, and with a file there is nothing to write', async () => {
    const project = create({ config: quick })
    const card = async (...args: string[]) =>
      (await project.looper('run', '--workflow', 'backlog', '--dry-run', ...args)).stdout
    expect(await card('a greeter')).toContain('an agent writes its tasks for the goal, then they are carried out')
    project.write('to-do.json', '{ "tasks": [] }')
    expect(await card()).not.toContain('does not exist')
  })
})

describe('what throws work away', () => {
  test('abort asks on a terminal', async () => {
    const project = create({ config: quick })
    expect((await project.looper('run', 'make two files', '--turns', '1')).code).toBe(3)
    const ask = (text: string) => onTerminal(project, ['abort'], [['[y/N] ', text]])
    const no = await ask('n\r')
    expect([no.code, no.stdout]).toEqual([1, expect.stringContaining('cannot be resumed')])
    expect((await project.status()).status).toBe('paused')
    expect((await ask('y\r')).code).toBe(0)
    expect((await project.status()).status).toBe('aborted')
  })

  test('clean says how many of the runs are neither applied nor discarded', async () => {
    const project = create({ config: quick })
    expect((await project.looper('run', 'make two files')).code).toBe(0)
    const { code, stdout } = await onTerminal(project, ['clean', '--keep', '0', '--all'], [['[y/N] ', 'n\r']])
    expect([code, stdout]).toEqual([1, expect.stringContaining(', 1 of them neither applied nor discarded? [y/N] ')])
  })
})
