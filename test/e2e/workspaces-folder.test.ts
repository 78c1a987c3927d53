/**
 * Where agents work, seen from the command line: outside the checkout, apart from each other, and gone when the run is.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { cooperative, createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project.remove())

const quick = { review: false, baseline: 'off' }
const read = (name: string): string[] => readFileSync(join(project.notes, name), 'utf8').trim().split('\n')

test('a folder inside the checkout is refused with one line, and nothing begins', async () => {
  project = createProject({ config: quick })
  project.configure({ ...quick, workspace: { folder: join(project.root, 'scratch') } })
  const ended = await project.looper('run', 'make two files')
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('is inside the checkout')
  expect(ended.stderr).toContain('workspace.folder')
  expect(existsSync(join(project.root, 'scratch'))).toBe(false)
  expect(existsSync(join(project.root, '.looper/runs'))).toBe(false)
})

test('the configured folder is used, and what a failed run left there goes with `looper clean`', async () => {
  project = createProject({
    agent: `note('cwd', process.cwd())\nif (role === 'coder') process.exit(1)\n${cooperative}`,
  })
  const folder = join(project.notes, 'elsewhere')
  project.configure({ ...quick, workspace: { folder }, limits: { attempts: 1 } })
  expect((await project.looper('run', 'make two files')).code).not.toBe(0)
  for (const cwd of read('cwd')) expect(cwd.startsWith(`${folder}/`)).toBe(true)
  expect(existsSync(project.workspaces)).toBe(false)
  project.configure(quick)
  expect(await project.looper('clean', '--all', '--keep', '0', '--yes')).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toEqual([])
})

test("tasks side by side have stashes, numbers and ports of their own, and the user's stash stays", async () => {
  const agent = `
import { execFileSync } from 'node:child_process'
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' })
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
if (role === 'coder') {
  note('slots', env.LOOPER_SLOT + ' ' + env.LOOPER_PORT_BASE)
  write(task + '.txt', task)
  git('stash', '--include-untracked')
  note('stashed', task)
  while (fs.readFileSync(path.join(env.NOTES, 'stashed'), 'utf8').trim().split('\\n').length < 2) await sleep(20)
  git('stash', 'pop')
  answer({ status: 'complete' })
}`
  project = createProject({ agent, config: { ...quick, parallel: 2 } })
  project.write('README.md', 'of the user\n')
  project.git('stash')
  const stash = project.git('rev-parse', 'refs/stash')
  mkdirSync(project.notes, { recursive: true })
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
  for (const task of ['T001', 'T002']) {
    const commit = project.git('log', '--format=%H', '--grep', `Looper-Task: ${task}`, 'looper/001-make-two-files')
    expect(project.git('show', '--format=', '--name-only', commit)).toBe(`${task}.txt`)
  }
  expect(new Set(read('slots')).size).toBe(2)
  expect(project.git('rev-parse', 'refs/stash')).toBe(stash)
  expect(readdirSync(project.workspaces)).toEqual([])
})

test('workspaces of a run whose folder is gone are removed by `looper clean`', async () => {
  project = createProject({
    agent: `if (role === 'coder') process.exit(1)\n${cooperative}`,
    config: { ...quick, limits: { attempts: 1 } },
  })
  expect((await project.looper('run', 'make two files')).code).not.toBe(0)
  const [checkout = ''] = readdirSync(project.workspaces)
  expect(readdirSync(join(project.workspaces, checkout))).toEqual(['001-make-two-files'])
  rmSync(join(project.root, '.looper/runs'), { recursive: true })
  expect(await project.looper('clean', '--yes')).toMatchObject({ code: 0 })
  expect(existsSync(join(project.workspaces, checkout, '001-make-two-files'))).toBe(false)
})

test.each(['/proc/none', '/dev/null/none'])(
  'a cache folder that cannot be made (%s) is refused, and nothing begins',
  async (folder) => {
    project = createProject({ config: quick })
    const ended = await project.looperThrough(['env', `XDG_CACHE_HOME=${folder}`], 'run', 'make two files')
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(
      /^looper: The folder for workspaces cannot be made: [^\n]+\n {2}Set XDG_CACHE_HOME or [^\n]+\n$/,
    )
    expect(ended.stderr).toContain(folder)
    expect(existsSync(join(project.root, '.looper/runs'))).toBe(false)
  },
)
