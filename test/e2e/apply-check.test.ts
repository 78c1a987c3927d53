/** `looper apply --check`: every check once more, on exactly what would be in the user's branch. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { notes, survivors } from '../kit/live.ts'
import { playedOnce } from '../kit/played-once.ts'
import { createProject, type Project } from '../kit/project.ts'

const projects: Project[] = []
afterEach(() => projects.splice(0).forEach((project) => project.remove()))

/** The check is red where both files are. */
const ran = playedOnce(async (): Promise<Project> => {
  const project = createProject({ config: { checks: ['test ! -e theirs.txt || test ! -e T001.txt'], review: false } })
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  return project
})

test('green on the result: the run is applied, and the checks are named', async () => {
  const project = await ran()
  const { code, stdout } = await project.looper('apply', '--check')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Applied 001-make-two-files: .+ 1 check green on it: /)])
  expect(existsSync(join(project.root, 'T001.txt'))).toBe(true)
})

test('red on the merge with a branch that has moved on: nothing is applied', async () => {
  const project = await ran()
  project.write('theirs.txt', 'x')
  project.git('add', 'theirs.txt')
  project.git('commit', '-q', '-m', 'theirs')
  const before = project.git('rev-parse', 'HEAD')
  const { code, stderr } = await project.looper('apply', '--check')
  expect([code, stderr]).toEqual([1, expect.stringContaining('on the result of the merge')])
  expect(project.git('rev-parse', 'HEAD')).toBe(before)
  expect(existsSync(join(project.root, 'T001.txt'))).toBe(false)
  expect(await project.looper('apply', '--no-check')).toMatchObject({ code: 0 })
})

test('a run that has landed nothing: one line says so, as git merge does', async () => {
  const project = createProject({ config: { checks: ['true'], review: false } })
  projects.push(project)
  expect((await project.looper('run', 'make two files', '--turns', '1')).code).toBe(3)
  for (const more of [[], ['--check']]) {
    expect(await project.looper('apply', ...more)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to apply: 001-make-two-files has landed no changes\./),
      stderr: '',
    })
  }
})

test('a process that a check leaves ends with the check', async () => {
  const project = createProject({ config: { checks: ['setsid sleep 600 > /dev/null 2>&1 &'], review: false } })
  projects.push(project)
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  expect(await project.looper('apply', '--check')).toMatchObject({ code: 0 })
  expect(survivors(project)).toEqual([])
})

test.each([
  ['off', 2],
  ['os', 1],
] as const)(
  'sandbox %s: a check that writes to files of the tree runs %i times, as in a run',
  async (sandbox, times) => {
    const project = createProject({ sandbox })
    projects.push(project)
    project.configure({ checks: [`echo x >> README.md; echo ran >> ${join(project.notes, 'checked')}`], review: false })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    const before = notes(project, 'checked').length
    expect(await project.looper('apply', '--check')).toMatchObject({ code: 0 })
    expect(notes(project, 'checked').length - before).toBe(times)
  },
)
