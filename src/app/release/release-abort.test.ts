import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  bin,
  commit,
  context,
  failure,
  hook,
  inState,
  program,
  repository,
  useRelease,
} from '../../../test/kit/release.ts'
import { abortRelease } from './abort.ts'

useRelease()

describe('D9: --abort', () => {
  const spoiled: Record<string, () => void> = {
    checks: () => {
      repository.write('.git/info/exclude', 'broken\n')
      repository.write('broken', '')
    },
    commit: () => hook('pre-commit', 'exit 1'),
    tag: () => {
      repository.git('config', 'tag.gpgSign', 'true')
      repository.git('config', 'gpg.program', 'false')
    },
    push: () => hook('pre-push', 'exit 1'),
  }
  const undone: readonly [step: string, told: (commit: string) => string[]][] = [
    ['checks', () => ['nothing was changed']],
    ['commit', () => ['package.json is as before', 'package-lock.json is as before', 'CHANGELOG.md is as before']],
    ['tag', (commit) => [`the commit ${commit} is gone, and its files are as before`]],
    ['push', (commit) => ['the tag v1.0.1 is gone', `the commit ${commit} is gone, and its files are as before`]],
  ]
  test.each(undone)('undoes a release that failed at %s', async (step, told) => {
    const head = repository.git('rev-parse', 'HEAD')
    const refs = repository.git('for-each-ref')
    spoiled[step]!()
    await failure()
    const commit = repository.git('rev-parse', '--short=8', 'HEAD')
    expect(await abortRelease(context)).toEqual(told(commit))
    expect(repository.git('rev-parse', 'HEAD')).toBe(head)
    expect(repository.git('for-each-ref')).toBe(refs)
    expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe('')
    expect(inState()).toBe(false)
    await expect(abortRelease(context)).rejects.toThrow('There is no release to undo.')
  })

  test('takes away a changelog that was begun', async () => {
    repository.git('rm', '--quiet', 'CHANGELOG.md')
    repository.commit('Remove')
    hook('pre-commit', 'exit 1')
    await failure({ changelog: true })
    expect(await abortRelease(context)).toContain('CHANGELOG.md is gone')
    expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe('')
  })

  test('leaves what others have, or may have', async () => {
    program(join(bin, 'gh'), 'exit 1')
    await failure({ release: true })
    await expect(abortRelease(context)).rejects.toMatchObject({
      code: 'USAGE_RELEASE',
      message: 'v1.0.1 is pushed, and cannot be undone here.',
    })
    // The push succeeded, but was not recorded.
    const path = join(repository.root, '.looper/release.json')
    const state = JSON.parse(readFileSync(path, 'utf8')) as { done: string[] }
    writeFileSync(path, JSON.stringify({ ...state, done: state.done.filter((step) => step !== 'push') }))
    await expect(abortRelease(context)).rejects.toThrow('v1.0.1 is on origin, and cannot be undone here.')
    repository.git('remote', 'set-url', 'origin', '/nowhere.git')
    await expect(abortRelease(context)).rejects.toThrow('It is unknown whether v1.0.1 was pushed')
    expect(repository.git('tag')).toBe('v1.0.0\nv1.0.1')
    expect(inState()).toBe(true)
  })

  test('says what stays and why', async () => {
    hook('pre-push', 'exit 1')
    await failure()
    const released = repository.git('rev-parse', '--short=8', 'HEAD')
    const top = commit('On top')
    expect(await abortRelease(context)).toEqual([
      'the tag v1.0.1 is gone',
      `the commit ${released} stays: there are commits on top of it`,
    ])
    expect(repository.git('rev-parse', 'HEAD')).toBe(top)
  })

  test('leaves a tag that was moved', async () => {
    hook('pre-push', 'exit 1')
    await failure()
    repository.git('tag', '--force', 'v1.0.1', 'HEAD~2')
    expect(await abortRelease(context)).toContain('the tag v1.0.1 stays: it is at another commit')
    expect(repository.git('rev-parse', 'v1.0.1')).toBe(repository.git('rev-parse', 'HEAD~1'))
  })

  test('loses no change in the checkout', async () => {
    hook('pre-commit', 'exit 1')
    await failure()
    repository.write('CHANGELOG.md', `${repository.read('CHANGELOG.md')}- Mine.\n`)
    repository.write('a.txt', 'mine')
    expect(await abortRelease(context)).toEqual([
      'package.json is as before',
      'package-lock.json is as before',
      'CHANGELOG.md stays: it was changed by hand since',
    ])
    expect(repository.read('CHANGELOG.md')).toContain('- Mine.')
    expect(repository.read('a.txt')).toBe('mine')
  })

  test('a commit with changes on top in its files stays', async () => {
    hook('pre-push', 'exit 1')
    await failure()
    repository.write('package.json', '{ "version": "1.0.1", "mine": true }')
    expect(await abortRelease(context)).toEqual([
      'the tag v1.0.1 is gone',
      expect.stringMatching(/^the commit \w{8} stays: there are changes in its files$/),
    ])
    expect(repository.read('package.json')).toContain('mine')
  })
})
