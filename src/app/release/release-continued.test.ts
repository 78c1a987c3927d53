import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  bin,
  commit,
  context,
  expectReleased,
  failure,
  hook,
  inState,
  plan,
  program,
  push,
  remote,
  repository,
  today,
  todo,
  usual,
  useRelease,
} from '../../../test/kit/release.ts'
import { prepareRelease } from './release.ts'

useRelease()

describe('D9: after a failure a second call continues', () => {
  /** How a step is made to fail, how that is repaired, and which steps are left. */
  const cases: readonly [step: string, spoil: () => void, repair: () => void, left: string[]][] = [
    [
      'checks',
      () => repository.write('.git/info/exclude', 'broken\n'),
      () => rmSync(join(repository.root, 'broken')),
      ['checks', 'version', 'changelog', 'commit', 'tag', 'push'],
    ],
    [
      'commit',
      () => hook('pre-commit', 'echo no commits today; exit 1'),
      () => rmSync(join(repository.root, '.git/hooks/pre-commit')),
      ['commit', 'tag', 'push'],
    ],
    [
      'tag',
      () => {
        repository.git('config', 'tag.gpgSign', 'true')
        repository.git('config', 'gpg.program', 'false')
      },
      () => repository.git('config', 'tag.gpgSign', 'false'),
      ['tag', 'push'],
    ],
    [
      'push',
      () => hook('pre-push', 'echo no pushes today; exit 1'),
      () => rmSync(join(repository.root, '.git/hooks/pre-push')),
      ['push'],
    ],
    [
      'push',
      () => hook('pre-receive', 'echo not welcome; exit 1', join(remote, 'hooks')),
      () => rmSync(join(remote, 'hooks/pre-receive')),
      ['push'],
    ],
    [
      'release',
      () => program(join(bin, 'gh'), 'exit 1'),
      () => program(join(bin, 'gh'), 'case "$2" in view) exit 1;; esac'),
      ['release'],
    ],
  ]
  test.each(cases)('of %s', async (step, spoil, repair, left) => {
    spoil()
    if (step === 'checks') repository.write('broken', '')
    const request = { release: step === 'release' }
    if (step === 'release') expect(await failure(request)).toMatchObject({ code: 'WORKSPACE_RELEASE', exitCode: 1 })
    else expect(await failure()).toMatchObject({ code: 'WORKSPACE_RELEASE', exitCode: 1, details: { step } })
    expect(inState()).toBe(true)
    expect(await failure(request), 'again').toMatchObject({ code: 'WORKSPACE_RELEASE' })
    const view = await plan(request)
    expect(view.resumed).toBe(true)
    expect(todo(view)).toEqual(left)
    repair()
    expect(await push(request)).toMatchObject({ tag: 'v1.0.1', pushed: true })
    expectReleased()
  })

  test('of version and changelog, because another process changes the files', async () => {
    const prepared = await prepareRelease(context, usual, today)
    const meddle = (step: string, done: boolean): void => {
      if (step === 'version' && !done) repository.write('package.json', '{ "version": "1.0.0", "mine": true }')
    }
    await expect(prepared.run({ onStep: meddle, onCheck: () => {} }, new AbortController().signal)).rejects.toThrow(
      'package.json was changed by another process during the release.',
    )
    expect(JSON.parse(repository.read('package.json'))).toEqual({ version: '1.0.0', mine: true })
    repository.git('checkout', '--quiet', 'package.json')
    const again = await prepareRelease(context, usual, today)
    const meddleMore = (step: string, done: boolean): void => {
      if (step === 'changelog' && !done) repository.write('CHANGELOG.md', '# Mine\n')
    }
    await expect(again.run({ onStep: meddleMore, onCheck: () => {} }, new AbortController().signal)).rejects.toThrow(
      'CHANGELOG.md was changed by another process during the release.',
    )
    repository.git('checkout', '--quiet', 'CHANGELOG.md')
    await push()
    expectReleased()
  })

  test('interrupted at any step', async () => {
    for (const at of ['checks', 'version', 'changelog', 'commit', 'tag', 'push']) {
      const stop = new AbortController()
      const prepared = await prepareRelease(context, usual, today)
      const onStep = (step: string, done: boolean): void => {
        if (step === at && done) stop.abort()
      }
      if (at === 'push') await prepared.run({ onStep, onCheck: () => {} }, stop.signal)
      else
        await expect(prepared.run({ onStep, onCheck: () => {} }, stop.signal), at).rejects.toMatchObject({
          details: { interrupted: true },
        })
    }
    expectReleased()
  })

  test('a check under way is ended by an interruption', async () => {
    repository.write('.looper/config.json', '{ "checks": ["sleep 600"] }\n')
    repository.commit('Wait')
    const stop = new AbortController()
    const prepared = await prepareRelease(context, usual, today)
    const running = prepared.run({ onStep: () => setTimeout(() => stop.abort(), 50), onCheck: () => {} }, stop.signal)
    await expect(running).rejects.toMatchObject({ details: { interrupted: true } })
  })

  test('after a commit that fixes it, the checks run again, on the new commit', async () => {
    repository.write('broken', '')
    repository.commit('Break it')
    expect(await failure()).toMatchObject({ details: { step: 'checks' } })
    repository.git('rm', '--quiet', 'broken')
    repository.commit('Fix it')
    const view = await plan()
    expect(view.warnings).toContain('the branch has moved on since: the checks run again')
    await push()
    expectReleased('1.0.1', '- Add a flag\n- Fix the list\n- Break it\n- Fix it')
  })

  test('and a commit beside what the release has written', async () => {
    hook('pre-commit', 'test ! -e bad')
    repository.write('bad', '')
    repository.git('add', 'bad')
    repository.git('commit', '--quiet', '--no-verify', '-m', 'Bad')
    expect(await failure()).toMatchObject({ details: { step: 'commit' } })
    repository.git('rm', '--quiet', 'bad')
    repository.git('commit', '--quiet', '-m', 'Good', 'bad')
    await push()
    expectReleased('1.0.1', '- Add a flag\n- Fix the list\n- Bad')
  })

  test('invalid requests are refused', async () => {
    hook('pre-push', 'exit 1')
    await failure()
    await expect(plan({ version: '3.0.0' })).rejects.toThrow('The release of v1.0.1 is not finished.')
    repository.write('a.txt', 'mine')
    await expect(plan()).rejects.toMatchObject({ code: 'WORKSPACE_DIRTY' })
    repository.git('checkout', '--quiet', 'a.txt')
    repository.git('switch', '--quiet', '-c', 'other')
    await expect(plan()).rejects.toThrow('was started on main')
    repository.git('switch', '--quiet', 'main')
    commit('On top')
    await expect(plan()).rejects.toThrow('HEAD has moved since v1.0.1 was tagged.')
    repository.write('.looper/release.json', '{ "for')
    await expect(plan()).rejects.toThrow('cannot be read')
  })

  test('a release that an older version began, in push.json, is continued', async () => {
    hook('pre-push', 'exit 1')
    await failure()
    const older = join(repository.root, '.looper/push.json')
    renameSync(join(repository.root, '.looper/release.json'), older)
    hook('pre-push', 'exit 0')
    expect((await plan()).resumed).toBe(true)
    await push()
    expect(existsSync(older)).toBe(false)
    expectReleased()
  })

  test('two at once: the second is refused', async () => {
    const [first, second] = await Promise.all([
      prepareRelease(context, usual, today),
      prepareRelease(context, usual, today),
    ])
    const quiet = { onStep: () => {}, onCheck: () => {} }
    const never = new AbortController().signal
    const outcomes = await Promise.allSettled([first.run(quiet, never), second.run(quiet, never)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(second.run(quiet, never)).rejects.toThrow('HEAD has moved meanwhile.')
    expectReleased()
  })
})
