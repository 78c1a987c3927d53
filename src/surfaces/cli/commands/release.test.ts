import { expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import { LooperError } from '../../../api/error.ts'
import type { RepositoryApp } from '../../../api/app.ts'
import type { PreparedRelease } from '../../../api/release.ts'

const asked = [{ version: null, remote: null, push: true, release: false, changelog: false }, '2026-01-01']

test('D9: shows the plan with what is done, and asks', async () => {
  const { code, stdout, stderr, app } = await call(['release'], {
    io: terminal({ tty: true, stdin: 'y\n', env: { NO_COLOR: '1' } }),
    warnings: ['mind this'],
  })
  expect(code).toBe(0)
  expect(stdout.split('\n')).toEqual([
    'Continuing the release of v1.1.0 from main, after v1.0.0',
    '  ✓ checks  npm test',
    '  · tag     v1.1.0',
    '',
    '    - Mine.',
    '',
    'Released v1.1.0.',
    '',
  ])
  expect(stderr).toBe('! mind this\nRelease v1.1.0? [y/N] … tag\n  ✓ npm test 1.2 s\n✓ tag\n')
  expect(app?.asked.other).toEqual([['release', ...asked], ['release run']])
})

test('D9: a no is a no', async () => {
  const { code, stderr, app } = await call(['release'], { io: terminal({ tty: true, stdin: 'n\n' }) })
  expect({ code, asked: app?.asked.other }).toEqual({ code: 1, asked: [['release', ...asked]] })
  expect(stderr).toContain('Nothing was released.')
})

test('D9: where no question can be asked, --yes is needed', async () => {
  expect(await call(['release'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') })
  expect((await call(['release', '--yes'])).app?.asked.other).toContainEqual(['release run'])
})

test('--dry-run and --json are for looking', async () => {
  const dry = await call(['release', 'minor', '--dry-run', '--remote', 'up', '--changelog', '--release'])
  expect(dry.code).toBe(0)
  expect(dry.app?.asked.other).toEqual([
    ['release', { version: 'minor', remote: 'up', push: true, release: true, changelog: true }, '2026-01-01'],
  ])
  expect(JSON.parse((await call(['release', '--dry-run', '--json'])).stdout)).toMatchObject({
    tag: 'v1.1.0',
    steps: [
      { step: 'checks', done: true },
      { step: 'tag', done: false },
    ],
  })
  expect(JSON.parse((await call(['release', '--yes', '--json', '--no-push'])).stdout)).toEqual({
    version: '1.1.0',
    tag: 'v1.1.0',
    commit: 'c'.repeat(40),
    pushed: true,
    released: false,
  })
})

test('--abort reports what was undone', async () => {
  expect(await call(['release', '--abort'])).toMatchObject({
    code: 0,
    stdout: 'the tag v1.1.0 is gone\n',
    app: { asked: { other: [['release abort']] } },
  })
})

const withRun = (run: PreparedRelease['run']): Partial<RepositoryApp> => ({
  prepareRelease: async () => ({
    view: {
      version: '1.1.0',
      tag: 'v1.1.0',
      before: null,
      branch: 'main',
      remote: null,
      resumed: false,
      steps: [],
      notes: '',
      warnings: [],
    },
    run,
  }),
})

test('a step that fails is shown with what it printed: exit 1', async () => {
  const overrides = withRun(async () => {
    throw new LooperError('WORKSPACE_RELEASE', 'git push failed.', {
      details: { step: 'push', output: 'not \u001B[31mwelcome' },
    })
  })
  expect(await call(['release', '--yes'], { overrides })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^not welcome\nlooper: git push failed\.\n {2}`looper release` continues/),
  })
})

test('an interruption is passed on: exit 130', async () => {
  const io = terminal()
  const overrides = withRun(
    (_, signal) =>
      new Promise((_done, fail) => {
        signal.addEventListener('abort', () =>
          fail(
            new LooperError('WORKSPACE_RELEASE', 'The release was interrupted.', { details: { interrupted: true } }),
          ),
        )
        io.send('SIGINT')
      }),
  )
  expect(await call(['release', '--yes'], { io, overrides })).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('interrupted'),
  })
  expect(io.send('SIGINT')).toBe(false)
})

test('`looper push` is the same command, and its help says so', async () => {
  expect((await call(['push', '--yes'])).app?.asked.other).toContainEqual(['release run'])
  expect((await call(['push', '--help'])).stdout).toContain('Alias of `release`.')
})
