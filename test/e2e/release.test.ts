/** Releases of the built program, with real git and a bare remote, killed wherever they note what they did. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { kindsOf, startWith, type Kill } from '../kit/faults.ts'
import { createProject, type Project } from '../kit/project.ts'

const made: Project[] = []
afterEach(() => {
  for (const project of made.splice(0)) project.remove()
})

function releasable(): Project {
  const project = createProject({
    files: { 'package.json': '{ "version": "1.0.0" }\n', 'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- Mine.\n' },
    config: { checks: ['test -e package.json'] },
  })
  made.push(project)
  project.git('add', '-A')
  project.git('commit', '-q', '-m', 'Configure')
  project.git('init', '-q', '--bare', '../remote.git')
  project.git('remote', 'add', 'origin', '../remote.git')
  project.git('push', '-q', '-u', 'origin', 'main')
  return project
}

function expectReleased(project: Project): void {
  const remote = join(project.root, '../remote.git')
  const far = (...args: string[]): string =>
    execFileSync('git', ['--git-dir', remote, ...args], { encoding: 'utf8' }).trimEnd()
  expect(project.git('log', '--format=%s')).toBe('Release v1.0.0\nConfigure\nstart')
  expect(project.git('tag')).toBe('v1.0.0')
  expect(far('rev-parse', 'main')).toBe(project.git('rev-parse', 'HEAD'))
  expect(far('rev-parse', 'v1.0.0^{commit}')).toBe(project.git('rev-parse', 'HEAD'))
  expect(project.read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 1\.0\.0 - \d{4}-\d\d-\d\d\n\n- Mine\.\n$/,
  )
  expect(project.git('status', '--porcelain')).toBe('')
  expect(existsSync(join(project.root, '.looper/release.json'))).toBe(false)
}

const ended = (project: Project, kill: Kill | undefined, ...args: string[]): Promise<number | string | null> =>
  new Promise((done) =>
    startWith(project, kill === undefined ? {} : { kill }, ...args).on('close', (code, signal) => done(code ?? signal)),
  )

test('D9: a release is shown, refused without a yes, made, and then there is nothing more', async () => {
  const project = releasable()
  expect(await project.looper('release', '--dry-run')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Release v1.0.0 from main'),
  })
  expect(await project.looper('release')).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') })
  expect(project.git('tag')).toBe('')
  expect(await project.looper('release', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Released v1.0.0.'),
  })
  expectReleased(project)
  expect(await project.looper('release', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing to release'),
  })
  expect(await project.looper('release', '--abort')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no release to undo'),
  })
})

test('D9: killed before and after each note, a second call ends it, and everything is there once', async () => {
  const whole = releasable()
  expect(await ended(whole, undefined, 'release', '--yes')).toBe(0)
  const steps = kindsOf(whole)
  const notes = steps.flatMap(({ text }, index) => (/^rename \.looper\/release\.json$/.test(text) ? [index + 1] : []))
  expect(notes.length).toBeGreaterThanOrEqual(6)
  for (const kill of notes.flatMap((at): Kill[] => [
    { at, when: 'before' },
    { at, when: 'after' },
  ])) {
    const project = releasable()
    expect(await ended(project, kill, 'release', '--yes'), JSON.stringify(kill)).toBe('SIGKILL')
    expect(await project.looper('release', '--yes'), JSON.stringify(kill)).toMatchObject({ code: 0 })
    expectReleased(project)
  }
}, 600_000)
