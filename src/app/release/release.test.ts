import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  bin,
  commit,
  expectReleased,
  far,
  hook,
  inState,
  plan,
  program,
  push,
  repository,
  todo,
  useRelease,
} from '../../../test/kit/release.ts'

useRelease()

describe('D9: a release', () => {
  test('is shown first, and nothing is touched by that', async () => {
    const before = repository.git('for-each-ref')
    const { steps, notes, warnings, ...view } = await plan()
    expect(view).toEqual({
      version: '1.0.1',
      tag: 'v1.0.1',
      before: 'v1.0.0',
      branch: 'main',
      remote: 'origin',
      resumed: false,
    })
    expect(steps).toEqual([
      { step: 'checks', what: 'test ! -e broken', done: false },
      { step: 'version', what: 'package.json 1.0.0 → 1.0.1, package-lock.json 1.0.0 → 1.0.1', done: false },
      { step: 'changelog', what: 'CHANGELOG.md: a section for 1.0.1', done: false },
      { step: 'commit', what: 'Release v1.0.1', done: false },
      { step: 'tag', what: 'v1.0.1', done: false },
      { step: 'push', what: 'main and v1.0.1 to origin', done: false },
    ])
    expect(notes).toBe('- Add a flag\n- Fix the list')
    expect(warnings).toEqual([])
    expect(repository.git('for-each-ref')).toBe(before)
    expect(repository.git('status', '--porcelain')).toBe('')
    expect(inState()).toBe(false)
  })

  test("is made, with the user's hooks", async () => {
    hook('pre-commit', 'echo committed >> "$(git rev-parse --git-dir)/seen"')
    hook('pre-push', 'echo pushed >> "$(git rev-parse --git-dir)/seen"')
    expect(await push()).toEqual({
      version: '1.0.1',
      tag: 'v1.0.1',
      commit: repository.git('rev-parse', 'HEAD'),
      pushed: true,
      released: false,
    })
    expectReleased()
    expect(repository.read('.git/seen')).toBe('committed\npushed\n')
  })

  test.each([
    ['patch', '1.0.1'],
    ['minor', '1.1.0'],
    ['major', '2.0.0'],
    ['1.4.2', '1.4.2'],
    ['v1.4.2', '1.4.2'],
    ['2.0.0-rc.1', '2.0.0-rc.1'],
  ])('%s is %s', async (wanted, version) => {
    await push({ version: wanted })
    expectReleased(version)
  })

  test('releases the version that the files say when that is not released yet', async () => {
    repository.write('package.json', '{ "version": "1.7.0" }')
    repository.write('package-lock.json', '{ "version": "1.7.0" }')
    repository.commit('Say 1.7.0')
    const view = await plan()
    expect(view).toMatchObject({ version: '1.7.0' })
    expect(todo(view)).toEqual(['checks', 'changelog', 'commit', 'tag', 'push'])
    expect((await plan({ version: 'minor' })).version).toBe('1.8.0')
  })

  test('keeps what people wrote in the changelog', async () => {
    repository.write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- By hand.\n')
    repository.commit('Write')
    await push()
    expect(repository.read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.0.1 - 2026-01-31\n\n- By hand.\n',
    )
  })

  test('without version file and changelog is a tag; --changelog creates one; tags keep their style', async () => {
    for (const path of ['package.json', 'package-lock.json', 'CHANGELOG.md']) repository.git('rm', '--quiet', path)
    repository.git('tag', '-d', 'v1.0.0')
    repository.git('tag', '1.1.0', 'HEAD~1')
    repository.write('VERSION', 'ignored\n')
    repository.write('.gitignore', 'VERSION\n')
    repository.commit('Remove')
    const view = await plan()
    expect(todo(view)).toEqual(['checks', 'tag', 'push'])
    expect(view.warnings).toEqual(['there is no CHANGELOG.md; --changelog creates one'])
    expect(todo(await plan({ changelog: true }))).toEqual(['checks', 'changelog', 'commit', 'tag', 'push'])
    const head = repository.git('rev-parse', 'HEAD')
    expect(await push()).toMatchObject({ tag: '1.1.1', commit: head })
    expect(far().git('rev-parse', '1.1.1^{commit}')).toBe(head)
  })

  test('goes to the branch that is followed, or stays here', async () => {
    repository.git('push', '--quiet', 'origin', 'main:release')
    repository.git('branch', '--quiet', '--set-upstream-to=origin/release')
    await push()
    expect(far().git('rev-parse', 'release')).toBe(repository.git('rev-parse', 'HEAD'))
    commit('More')
    expect(await push({ push: false })).toMatchObject({ tag: 'v1.0.2', pushed: false })
    expect(far().git('tag')).toBe('v1.0.0\nv1.0.1')
  })

  test('on GitHub is made with gh, once', async () => {
    const log = join(bin, 'log')
    program(
      join(bin, 'gh'),
      `case "$2" in view) test -e ${bin}/released;; create) echo "$@" >> ${log}; cat "$8" >> ${log}; touch ${bin}/released;; esac`,
    )
    expect(await push({ release: true })).toMatchObject({ released: true })
    expect(readFileSync(log, 'utf8')).toMatch(
      /^release create v1\.0\.1 --verify-tag --title v1\.0\.1 --notes-file \S+\n- Add a flag\n- Fix the list\n$/,
    )
  })
})
