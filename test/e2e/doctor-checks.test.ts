/** `looper doctor --checks`: set-up and checks on the newest commit, with time and result, and nothing left behind. */
import { existsSync, readdirSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { DoctorRow } from '../../src/api/upkeep.ts'
import { gone, notes } from '../kit/live.ts'
import { call } from '../kit/outside.ts'
import { createProject, type Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const projects: Project[] = []
afterEach(() => projects.splice(0).forEach((project) => project.remove()))

function create(config: Record<string, unknown>, files: Record<string, string> = {}): Project {
  const project = createProject({ config, files })
  projects.push(project)
  return project
}

async function rowsOf(project: Project): Promise<{ code: number | null; rows: DoctorRow[] }> {
  const { code, stdout } = await project.looper('doctor', '--checks', '--json')
  return { code, rows: JSON.parse(stdout) as DoctorRow[] }
}

/** Folders of workspaces, below the folder of the checkout. */
const leftIn = ({ workspaces }: Project): string[] =>
  existsSync(workspaces) ? readdirSync(workspaces).flatMap((key) => readdirSync(join(workspaces, key))) : []

test('G1: set-up and checks run on the newest commit, apart from the checkout', async () => {
  const project = create({
    workspace: { setup: ['echo made > made.txt'] },
    checks: [
      { name: 'set up', run: 'test -f made.txt' },
      { name: 'committed', run: 'test ! -e later.txt' },
    ],
  })
  project.write('later.txt', 'not committed')
  const before = project.git('status', '--porcelain')
  const { code, rows } = await rowsOf(project)
  expect({ code, rows }).toEqual({
    code: 0,
    rows: [
      { check: 'set-up', ok: true, detail: expect.stringMatching(/^echo made > made\.txt · \S+ s$/), hint: null },
      { check: 'check set up', ok: true, detail: expect.stringMatching(/^test -f made\.txt · passed · /), hint: null },
      { check: 'check committed', ok: true, detail: expect.stringContaining(' · passed · '), hint: null },
    ],
  })
  expect(project.git('status', '--porcelain')).toBe(before)
  expect(project.git('for-each-ref', 'refs/looper', 'refs/heads/looper')).toBe('')
  expect(existsSync(join(project.root, '.looper/runs'))).toBe(false)
  expect(leftIn(project)).toEqual([])
})

test('a red check: its last lines, and exit 1', async () => {
  const project = create({ checks: [{ name: 'unit', run: 'echo expected 4, got 5; exit 3' }, 'true'] })
  const { code, stdout } = await project.looper('doctor', '--checks')
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^✗ check unit +echo expected 4, got 5; exit 3 · failed \(exit 3\) · .+\n {4}expected 4, got 5\n/,
  )
  expect(stdout).toMatch(/\n✓ check true +true · passed · /)
})

test.each([
  ['a program that does not exist', 'no-such-runner --all', 'the program no-such-runner is', 'no-such-runner'],
  ['a file that is not executable', './README.md', 'the program ./README.md is', 'README.md'],
  ['a script that npm does not find', 'npm run no-such-script', 'the project has no package.json', 'package.json'],
])('%s: the check cannot run, and what to do', async (_, run, how, said) => {
  const project = create({ checks: [{ name: 'test', run }] })
  const { code, rows } = await rowsOf(project)
  expect({ code, rows }).toMatchObject({
    code: 1,
    rows: [{ check: 'check test', ok: false, detail: expect.stringContaining(`${run} · cannot run: ${how}`) }],
  })
  expect(rows[0]?.hint).toContain(said)
  // The log is in a folder of the check that is gone.
  expect(rows[0]?.hint).not.toContain('_logs')
  expect(rows[0]?.hint).toMatch(/\nInstall what is missing, have "workspace\.setup" install it, or change the check /)
})

test('set-up that fails: its reason, and no check runs', async () => {
  const project = create({
    workspace: { setup: ['echo "error: no lock file"; exit 4'] },
    checks: ['echo ran >> "$HOME/../ran"'],
  })
  const { code, rows } = await rowsOf(project)
  expect({ code, rows }).toEqual({
    code: 1,
    rows: [
      {
        check: 'set-up',
        ok: false,
        detail: expect.stringMatching(/failed with exit code 4: error: no lock file$/),
        hint: expect.stringMatching(/^No check ran\.\n[^]*looper config set workspace\.setup "<command>"/),
      },
    ],
  })
})

test('in place, the checks run in the checkout', async () => {
  const project = create({ workspace: { mode: 'in-place' }, parallel: 1, checks: ['test -f later.txt'] })
  project.write('later.txt', 'not committed')
  expect((await rowsOf(project)).code).toBe(0)
})

test('without checks it says so', async () => {
  expect(await rowsOf(create({ checks: null }))).toMatchObject({
    code: 1,
    rows: [{ check: 'checks', ok: false, detail: 'none: everything will be unverified' }],
  })
})

test('with a run, with --repair and inside a run it is refused', async () => {
  const project = create({})
  const refusal = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
    const { code, stderr } = await call(project, ['doctor', '--checks', ...args], { env })
    expect(code).toBe(2)
    return stderr
  }
  expect(await refusal(['3'])).toContain('--checks is for the newest commit of your branch, not for one run')
  expect(await refusal(['--repair'])).toContain('--checks and --repair cannot be used together')
  expect(await refusal([], { LOOPER_INSIDE: '1' })).toContain('refused inside a run')
})

test('Ctrl-C ends the check, and nothing is left', async () => {
  const project = createProject()
  projects.push(project)
  project.configure({ checks: [`echo $$ >> ${join(project.notes, 'check')}; exec sleep 600`, 'true'] })
  const child = project.start('doctor', '--checks')
  await vi.waitFor(() => expect(notes(project, 'check')).toHaveLength(1), { timeout: 60_000, interval: 50 })
  child.kill('SIGINT')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(130)
  await gone(Number(notes(project, 'check')[0]))
  expect(leftIn(project)).toEqual([])
})
