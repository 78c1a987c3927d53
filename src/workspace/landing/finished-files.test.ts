/** An apply that was killed in the middle is finished by the next one, and nothing of the user is lost. */
import { chmodSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyRun } from './apply-run.ts'
import { moveFiles } from './move-checkout.ts'
import { fingerprint, makeRepository, type Repository } from '../../../test/kit/repository.ts'

const run = { run: '001-demo', branch: 'looper/001-demo' }
const start = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'g\n', place: 'p\n', '.gitignore': '.env\n' }

/** A run that changes, adds and deletes files, makes one executable, and replaces a file by a folder. */
function finishedRun(): { repository: Repository; base: string; tip: string } {
  const repository = makeRepository(start)
  const base = repository.git('rev-parse', 'HEAD')
  repository.git('switch', '-q', '-c', run.branch)
  for (const path of ['gone.txt', 'place']) rmSync(join(repository.root, path))
  repository.write('b.txt', 'run\n')
  repository.write('dir/new.txt', 'n\n')
  repository.write('place/inside.txt', 'i\n')
  repository.write('tool.sh', 'true\n')
  chmodSync(join(repository.root, 'tool.sh'), 0o755)
  symlinkSync('b.txt', join(repository.root, 'link'))
  repository.write('.env', 'run\n')
  repository.git('add', '--force', '.env')
  const tip = repository.commit('Work')
  repository.git('switch', '-q', 'main')
  return { repository, base, tip }
}

const nothing = { staged: [], unstaged: [] }
const moved = ({ repository, base, tip }: ReturnType<typeof finishedRun>): Promise<void> =>
  moveFiles({ from: base, to: tip, run: run.run, changes: [], finished: nothing }, { cwd: repository.root })

const status = ({ git }: Repository): string => git('status', '--porcelain')

const killedAt: [when: string, reset: (repository: Repository) => void][] = [
  ['after the files and the index were moved', () => undefined],
  ['before the index was written', ({ git }) => git('read-tree', 'HEAD')],
  [
    'in the middle of the files',
    ({ root, git }) => {
      git('read-tree', 'HEAD')
      git('checkout-index', '-f', 'b.txt')
      rmSync(join(root, 'tool.sh'))
      rmSync(join(root, 'dir'), { recursive: true })
    },
  ],
]

test.each(killedAt)('an apply that was killed %s is finished', async (_when, reset) => {
  for (const style of ['merge', 'squash', 'rebase'] as const) {
    const made = finishedRun()
    const { repository, base, tip } = made
    repository.write('a.txt', 'my own\n')
    repository.write('mine.txt', 'm\n')
    repository.write('staged.txt', 's\n')
    repository.git('add', 'staged.txt')
    await moved(made)
    reset(repository)
    if (reset !== killedAt[0]?.[1]) repository.git('add', 'staged.txt')
    const applied = await applyRun(repository.root, { ...run, base, style, squash: 'Squashed\n' })
    expect(applied).toMatchObject({ status: 'applied', files: 8 })
    expect(repository.git('rev-parse', 'main')).toBe(applied.commit)
    expect(repository.git('rev-parse', 'main^{tree}')).toBe(repository.git('rev-parse', `${tip}^{tree}`))
    expect(status(repository)).toBe(' M a.txt\nA  staged.txt\n?? mine.txt')
    expect(repository.read('a.txt')).toBe('my own\n')
  }
})

test('files of the user that are exactly those of the result are no obstacle', async () => {
  const { repository, base } = finishedRun()
  repository.write('b.txt', 'run\n')
  repository.write('dir/new.txt', 'n\n')
  repository.write('.env', 'run\n')
  rmSync(join(repository.root, 'gone.txt'))
  expect(await applyRun(repository.root, { ...run, base })).toMatchObject({ status: 'applied' })
  expect(status(repository)).toBe('')
})

const refusals: [what: string, edit: (repository: Repository) => void, path: string][] = [
  ['another content', ({ write }) => write('b.txt', 'mine\n'), 'b.txt'],
  ['another content of a new file', ({ write }) => write('dir/new.txt', 'm\n'), 'dir/new.txt'],
  ['another mode', ({ root }) => chmodSync(join(root, 'tool.sh'), 0o644), 'tool.sh'],
  ['another content of an ignored file', ({ write }) => write('.env', 'mine\n'), '.env'],
  ['a file that the run deletes', ({ write }) => write('gone.txt', 'mine\n'), 'gone.txt'],
  [
    'a file in place of a link',
    ({ root, write }) => {
      rmSync(join(root, 'link'))
      write('link', 'b.txt')
    },
    'link',
  ],
  [
    'another content in the index alone',
    ({ write, git }) => {
      write('b.txt', 'mine\n')
      git('add', 'b.txt')
      write('b.txt', 'run\n')
    },
    'b.txt',
  ],
]

test.each(refusals)('%s is the work of the user, also after a killed apply', async (_what, edit, path) => {
  for (const isStaged of [true, false]) {
    const made = finishedRun()
    const { repository, base } = made
    await moved(made)
    if (!isStaged) repository.git('read-tree', 'HEAD')
    edit(repository)
    repository.git('status')
    const before = fingerprint(repository)
    await expect(applyRun(repository.root, { ...run, base })).rejects.toMatchObject({
      code: 'WORKSPACE_APPLY',
      details: { paths: [path] },
    })
    expect(fingerprint(repository)).toBe(before)
  }
})

test('what refuses the result later leaves the finished files and the index as they were', async () => {
  for (const isStaged of [true, false]) {
    const made = finishedRun()
    const { repository, base } = made
    await moved(made)
    if (!isStaged) repository.git('read-tree', 'HEAD')
    repository.git('status')
    const before = [status(repository), fingerprint(repository)]
    const verify = (): Promise<void> => Promise.reject(new Error('red'))
    await expect(applyRun(repository.root, { ...run, base }, { verify })).rejects.toThrow('red')
    expect([status(repository), fingerprint(repository)]).toEqual(before)
    repository.git('config', 'core.hooksPath', join(repository.root, '.git/hooks'))
    repository.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n')
    chmodSync(join(repository.root, '.git/hooks/pre-commit'), 0o755)
    const squashed = { ...run, base, style: 'squash', squash: 'Squashed\n', hooks: { env: process.env } } as const
    await expect(applyRun(repository.root, squashed)).rejects.toThrow('pre-commit refused')
    expect(status(repository)).toBe(before[0])
  }
})

test('when git refuses to move the other files, the index is as before', async () => {
  const { repository, base } = finishedRun()
  repository.write('b.txt', 'run\n')
  repository.write('tool.sh/own.txt', 'mine\n')
  const before = [status(repository), repository.git('ls-files', '--stage')]
  await expect(applyRun(repository.root, { ...run, base })).rejects.toThrow('Your checkout cannot take the run')
  expect([status(repository), repository.git('ls-files', '--stage')]).toEqual(before)
})
