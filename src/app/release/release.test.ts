import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeRepository, openRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import type { LooperError } from '../../model/error.ts'
import type { ReleaseRequest, ReleaseResult, ReleaseView } from '../../api/release.ts'
import type { AppContext } from '../context.ts'
import { abortRelease } from './abort.ts'
import { prepareRelease } from './release.ts'

const today = '2026-01-31'
const usual: ReleaseRequest = { version: null, remote: null, push: true, release: false, changelog: false }

let repository: Repository
let remote: string
let bin: string
let context: AppContext

beforeEach(() => {
  repository = makeRepository({
    'package.json': '{\n  "name": "x",\n  "version": "1.0.0"\n}\n',
    'package-lock.json': '{\n  "version": "1.0.0",\n  "packages": { "": { "version": "1.0.0" } }\n}\n',
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2025-01-01\n\n- First.\n',
    '.looper/config.json': '{ "checks": ["test ! -e broken"] }\n',
  })
  remote = join(temporaryFolder(), 'remote.git')
  bin = temporaryFolder()
  repository.git('init', '--quiet', '--bare', remote)
  repository.git('remote', 'add', 'origin', remote)
  repository.git('tag', '-a', '-m', 'v1.0.0', 'v1.0.0')
  repository.git('push', '--quiet', '--set-upstream', 'origin', 'main', 'v1.0.0')
  commit('Add a flag')
  commit('Fix the list')
  context = {
    cwd: repository.root,
    env: { ...process.env, LOOPER_INSIDE: '', PATH: `${bin}:${process.env['PATH']}` },
    home: temporaryFolder(),
    packageFolder: '/nowhere',
    version: '1.2.3',
  }
})

let changes = 0
function commit(subject: string): string {
  repository.write('a.txt', `change ${++changes}\n`)
  return repository.commit(subject)
}

const plan = async (request: Partial<ReleaseRequest> = {}): Promise<ReleaseView> =>
  (await prepareRelease(context, { ...usual, ...request }, today)).view
const push = async (
  request: Partial<ReleaseRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ReleaseResult> => {
  const seen: string[] = []
  return (await prepareRelease(context, { ...usual, ...request }, today)).run(
    { onStep: (step, done) => void (done && seen.push(step)), onCheck: () => {} },
    signal,
  )
}
const failure = async (request: Partial<ReleaseRequest> = {}): Promise<LooperError> =>
  push(request).then(
    () => {
      throw new Error('it did not fail')
    },
    (error: LooperError) => error,
  )
const hook = (name: string, body: string, where = join(repository.root, '.git/hooks')): void =>
  program(join(where, name), body)
const program = (path: string, body: string): void => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}
const far = (): Repository => openRepository(remote)
const inState = (): boolean => existsSync(join(repository.root, '.looper/release.json'))
const todo = ({ steps }: ReleaseView): string[] => steps.filter(({ done }) => !done).map(({ step }) => step)

/** Everything that must be true after a release, once. */
function expectReleased(version = '1.0.1', subjects = '- Add a flag\n- Fix the list'): void {
  expect(JSON.parse(repository.read('package.json'))).toMatchObject({ version })
  expect(JSON.parse(repository.read('package-lock.json'))).toEqual({ version, packages: { '': { version } } })
  expect(repository.read('CHANGELOG.md')).toBe(
    `# Changelog\n\n## Unreleased\n\n## ${version} - ${today}\n\n${subjects}\n\n## 1.0.0 - 2025-01-01\n\n- First.\n`,
  )
  expect(repository.git('log', '--format=%s', '--grep=^Release', 'HEAD')).toBe(`Release v${version}`)
  expect(repository.git('rev-parse', `v${version}^{commit}`)).toBe(repository.git('rev-parse', 'HEAD'))
  expect(repository.git('cat-file', '-t', `v${version}`)).toBe('tag')
  expect(far().git('rev-parse', 'main')).toBe(repository.git('rev-parse', 'HEAD'))
  expect(far().git('rev-parse', `v${version}`)).toBe(repository.git('rev-parse', `v${version}`))
  expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe('')
  expect(inState()).toBe(false)
}

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
