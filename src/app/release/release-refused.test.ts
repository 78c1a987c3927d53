import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  bin,
  context,
  failure,
  inState,
  plan,
  push,
  remote,
  repository,
  today,
  usual,
  useRelease,
} from '../../../test/kit/release.ts'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import type { ReleaseRequest } from '../../api/release.ts'
import { prepareRelease } from './release.ts'

useRelease()

describe('D9: a release is refused', () => {
  const refused = async (
    message: string | RegExp,
    request: Partial<ReleaseRequest> = {},
    code = 'USAGE_RELEASE',
  ): Promise<void> => {
    const error = await failure(request)
    expect(error).toMatchObject({ code, exitCode: 2 })
    expect(error.message).toMatch(message)
    expect(inState()).toBe(false)
  }

  test('with a dirty tree', async () => {
    repository.write('a.txt', 'mine')
    await refused('1 file is not as committed: a.txt', {}, 'WORKSPACE_DIRTY')
    repository.git('checkout', '--quiet', 'a.txt')
    repository.write('new.txt', 'forgotten')
    await refused('new.txt', {}, 'WORKSPACE_DIRTY')
    expect(repository.read('new.txt')).toBe('forgotten')
  })

  test('a missing, an unknown and an unreachable remote are reported', async () => {
    await refused('There is no remote "nowhere"', { remote: 'nowhere' })
    repository.git('remote', 'set-url', 'origin', '/nowhere.git')
    expect((await plan()).warnings).toEqual([expect.stringMatching(/^origin did not answer: fatal: .*nowhere\.git/)])
    repository.git('remote', 'set-url', 'origin', 'https://me:hunter2@localhost:1/x.git')
    expect((await plan()).warnings.join()).not.toContain('hunter2')
    repository.git('remote', 'remove', 'origin')
    await refused('There is no remote to push to')
  })

  test('when the tag exists, here or there', async () => {
    repository.git('switch', '--quiet', '--orphan', 'other')
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'Other')
    repository.git('tag', 'v1.0.1')
    repository.git('switch', '--quiet', 'main')
    await refused('The tag v1.0.1 exists already.')
    repository.git('push', '--quiet', 'origin', 'v1.0.1')
    repository.git('tag', '-d', 'v1.0.1')
    await refused('The tag v1.0.1 exists already on origin.')
  })

  test('when there is nothing to release', async () => {
    await push()
    await refused('There is nothing to release: nothing was committed since v1.0.1.')
  })

  test('on a detached HEAD', async () => {
    repository.git('switch', '--quiet', '--detach')
    await refused('HEAD is detached')
  })

  test.each([
    ['1.0.0', 'not above 1.0.0'],
    ['0.9.0', 'not above 1.0.0'],
    ['1.0.0-rc.1', 'not above 1.0.0'],
    ['next', 'neither a version'],
    ['1.2', 'neither a version'],
    ['', 'neither a version'],
  ])('for the version %j', async (version, message) => {
    await refused(message, { version })
  })

  test('for a version below the one in the files, or where that cannot be read', async () => {
    repository.write('package.json', '{ "version": "2.0.0" }')
    repository.commit('Say 2.0.0')
    await refused('1.5.0 is below 2.0.0, which is in the files', { version: '1.5.0' })
    repository.write('package.json', '{ "version": "one" }')
    repository.commit('Say one')
    repository.git('tag', '-d', 'v1.0.0')
    await refused('The version in package.json, "one", is not of the form 1.2.3.')
    expect((await plan({ version: '3.0.0' })).version).toBe('3.0.0')
  })

  test('when the remote is ahead', async () => {
    const other = openRepository(join(temporaryFolder(), 'other'))
    repository.git('clone', '--quiet', remote, other.root)
    other.git('commit', '--quiet', '--allow-empty', '-m', 'Theirs')
    other.git('push', '--quiet')
    await refused('origin has commits on main that are not here.')
  })

  test('without gh', async () => {
    await expect(
      prepareRelease({ ...context, env: { ...context.env, PATH: bin } }, { ...usual, release: true }, today),
    ).rejects.toThrow('--release needs gh')
    await refused('needs its tag there', { release: true, push: false })
  })
})
