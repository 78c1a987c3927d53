/** `looper apply` on a branch that has moved, its styles, the messages of commits, and the user's hooks. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { playedOnce } from '../kit/played-once.ts'
import { cooperative, createProject, type Project, type ProjectOptions } from '../kit/project.ts'

const projects: Project[] = []
afterEach(() => projects.splice(0).forEach((project) => project.remove()))

/** The check is red where both files are, and says so on its last line. */
const clash = 'if test -e theirs.txt && test -e T001.txt; then echo before; echo both are here; exit 1; fi'

const ran = playedOnce(async (options: ProjectOptions = {}): Promise<Project> => {
  const project = createProject({ config: { checks: [clash], review: false, checkReruns: 0 }, ...options })
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  return project
})

function moved(project: Project, file = 'theirs.txt', content = 'x\n', ...more: string[]): string {
  project.write(file, content)
  project.git('add', file)
  project.git('commit', '-q', '-m', 'theirs', ...more)
  return project.git('rev-parse', 'HEAD')
}

const status = (project: Project): string => project.git('status', '--porcelain', '--', '.', ':!.looper')
const log = (project: Project, format: string): string[] => project.git('log', `--format=${format}`).split('\n')

describe('a branch that has not moved', () => {
  test('is fast-forwarded, and the checks that the gate saw pass on this tree are named', async () => {
    const project = await ran()
    const { code, stdout, stderr } = await project.looper('apply')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Applied 001-make-two-files: 2 files changed, .+ The run saw this tree pass: if test/)
  })

  test('of a run without checks, the result is called unverified', async () => {
    const project = await ran({ config: { checks: [], review: false } })
    expect((await project.looper('apply')).stdout).toContain('It is unverified: the run has no checks.')
  })

  test('of a run that failed, what is left out is said', async () => {
    const project = createProject({
      config: { checks: ['test ! -e T002.txt'], review: false, limits: { attempts: 1, fixCycles: 0, splitDepth: 0 } },
    })
    projects.push(project)
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 1 })
    const { stdout } = await project.looper('apply')
    expect(stdout).toContain(' The run is not completed (failed): T002 is missing.')
    expect(existsSync(join(project.root, 'T001.txt'))).toBe(true)
  })

  test('with commits on the run branch that the gate did not see: that is said', async () => {
    const project = await ran()
    project.git('switch', '-q', 'looper/001-make-two-files')
    moved(project, 'more.txt')
    project.git('switch', '-q', 'main')
    const { stdout } = await project.looper('apply')
    expect(stdout).toContain('your branch main is at')
    expect(stdout).toContain('No final check ran on it: `looper apply 1 --check` runs them.')
    const checked = await project.looper('apply', '1', '--check')
    expect([checked.code, checked.stdout]).toEqual([
      0,
      expect.stringMatching(/^001-make-two-files is already in your branch main\. 1 check green on it: if test/),
    ])
    moved(project)
    const red = await project.looper('apply', '1', '--check')
    expect([red.code, red.stderr]).toEqual([1, expect.stringContaining('on your branch: both are here')])
    expect(red.stderr).not.toContain('Nothing was applied')
  })
})

describe('a branch that has moved (F15)', () => {
  test('the checks run on the merged tree, and green ones are named', async () => {
    const project = await ran()
    moved(project, 'other.txt')
    const { code, stdout, stderr } = await project.looper('apply')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('(a merge). 1 check green on it: ') })
    expect(stderr).toContain('… check if test')
    expect(existsSync(join(project.root, 'T001.txt'))).toBe(true)
  })

  test('red ones are refused with their last lines and the way out; --force applies anyway, and that is recorded', async () => {
    const project = await ran()
    const before = moved(project)
    const refused = await project.looper('apply')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('both are here\nbefore\nboth are here\n  Nothing was applied.')
    expect(refused.stderr).toContain('looper apply 1 --force')
    expect(project.git('rev-parse', 'HEAD')).toBe(before)
    expect(status(project)).toBe('')
    const forced = await project.looper('apply', '--force')
    expect([forced.code, forced.stdout]).toEqual([
      0,
      expect.stringContaining('Red on it, and applied anyway (--force)'),
    ])
    expect(project.events().at(-1)).toMatchObject({
      type: 'run.applied',
      red: [expect.stringMatching(/^if test/)],
      style: 'merge',
    })
    expect((await project.looper('report')).stdout).toContain('although')
  })

  test('--no-check applies without them, and says so', async () => {
    const project = await ran()
    moved(project)
    const { code, stdout, stderr } = await project.looper('apply', '--no-check')
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringContaining('No check ran on it.'),
      stderr: '',
    })
  })

  test('a check that was red before the run and is no worse does not refuse the result', async () => {
    const project = await ran({
      config: { checks: ['true', 'echo always the same; exit 1'], review: false, checkReruns: 0 },
    })
    moved(project, 'other.txt')
    const { code, stdout } = await project.looper('apply')
    expect([code, stdout]).toEqual([0, expect.stringContaining('No worse than before: echo always')])
  })

  test('--apply at the end of a run changes no other branch than the one it started from', async () => {
    const agent = `if (role === 'coder' && task === 'T001') {
      const { execFileSync } = await import('node:child_process')
      execFileSync('git', ['-C', env.CHECKOUT, 'switch', '-q', '-c', 'other'])
    }
    ${cooperative}`
    const project = createProject({ agent })
    projects.push(project)
    const config = JSON.parse(project.read('.looper/config.json')) as { agents: { test: { env: object } } }
    config.agents.test.env = { ...config.agents.test.env, CHECKOUT: project.root }
    project.configure({ ...config, checks: [clash], review: false, checkReruns: 0 })
    const { stdout } = await project.looper('run', 'make two files', '--apply')
    expect(stdout).toContain('The run started from main, and other is checked out now. Nothing was applied.')
    expect(existsSync(join(project.root, 'T001.txt'))).toBe(false)
    expect((await project.looper('apply')).stdout).toContain('your branch other (the run started from main) is at')
  })

  test('--apply at the end of a run checks the merged tree too', async () => {
    const agent = `if (role === 'coder' && task === 'T001') {
      const { execFileSync } = await import('node:child_process')
      const git = (...args) => execFileSync('git', ['-C', env.CHECKOUT, ...args])
      fs.writeFileSync(path.join(env.CHECKOUT, 'theirs.txt'), 'x')
      git('add', 'theirs.txt')
      git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'theirs')
    }
    ${cooperative}`
    const project = createProject({ agent })
    projects.push(project)
    const config = JSON.parse(project.read('.looper/config.json')) as { agents: { test: { env: object } } }
    config.agents.test.env = { ...config.agents.test.env, CHECKOUT: project.root }
    project.configure({ ...config, checks: [clash], review: false, checkReruns: 0 })
    const { stdout } = await project.looper('run', 'make two files', '--apply')
    expect(stdout).toContain('no: The check if test')
    expect(existsSync(join(project.root, 'T001.txt'))).toBe(false)
  })
})

describe('styles', () => {
  test('--squash makes one commit from the goal and the tasks, and is not applied twice', async () => {
    const project = await ran()
    const before = moved(project, 'other.txt')
    expect((await project.looper('apply', '--squash')).stdout).toContain('(one commit)')
    expect(log(project, '%s|%P')[0]).toBe(`make two files|${before}`)
    expect(project.git('log', '-1', '--format=%b')).toBe('- one (T001)\n- two (T002)\n\nLooper-Run: 001-make-two-files')
    expect((await project.looper('apply')).stdout).toContain('is already in your branch')
    expect((await project.looper('clean', '--yes', '--keep', '0')).stdout).not.toContain('not applied')
  })

  test('--squash of a branch that has not moved keeps the tree that the gate saw', async () => {
    const project = await ran()
    expect((await project.looper('apply', '--squash')).stdout).toMatch(/\(one commit\)\. The run saw this tree pass/)
    expect(log(project, '%s')).toEqual(['make two files', 'start'])
  })

  test('--rebase replays the commits on the moved branch: linear, with their authors and trailers', async () => {
    const project = await ran()
    moved(project, 'other.txt')
    expect((await project.looper('apply', '--rebase')).stdout).toContain('(rebased)')
    expect(log(project, '%s')).toEqual(['two', 'one', 'theirs', 'start'])
    expect(project.git('log', '-1', '--format=%(trailers:key=Looper-Task,valueonly)')).toBe('T002')
    expect(status(project)).toBe('')
    expect((await project.looper('apply', '--rebase')).stdout).toContain('is already in your branch')
  })

  test('--rebase checks the result', async () => {
    const project = await ran()
    const before = moved(project)
    expect(await project.looper('apply', '--rebase')).toMatchObject({ code: 1 })
    expect(project.git('rev-parse', 'HEAD')).toBe(before)
  })

  test.each(['--merge', '--squash', '--rebase'])('%s: a conflict is refused with the way out', async (style) => {
    const project = await ran()
    const before = moved(project, 'T002.txt', 'mine\n')
    const { code, stderr } = await project.looper('apply', style)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/conflicts with your branch in T002\.txt[^]*git merge/)])
    expect(project.git('rev-parse', 'HEAD')).toBe(before)
  })

  test('apply.style sets the usual one, and excluding flags are refused', async () => {
    const project = await ran({ config: { checks: ['true'], review: false, apply: { style: 'squash' } } })
    expect(await project.looper('apply', '--merge', '--squash')).toMatchObject({ code: 2 })
    expect(await project.looper('apply', '--merge', '--rebase')).toMatchObject({ code: 2 })
    expect((await project.looper('apply')).stdout).toContain('(one commit)')
  })

  test('a run that continues after a squash brings only what is new', async () => {
    const project = createProject({ config: { checks: ['true'], review: false, parallel: 1 } })
    projects.push(project)
    expect(await project.looper('run', 'make two files', '--turns', '2')).toMatchObject({ code: 3 })
    expect(await project.looper('apply', '--squash')).toMatchObject({ code: 0 })
    expect(await project.looper('resume', '--turns', '9')).toMatchObject({ code: 0 })
    const { code, stdout } = await project.looper('apply', '--rebase')
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 file changed')])
    expect(log(project, '%s')).toEqual(['two', 'make two files', 'start'])
  })
})
