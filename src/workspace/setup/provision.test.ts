import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  temporaryFolder,
  workspaceConfig,
  type Repository,
} from '../../../test/kit/repository.ts'
import { identityOf } from '../../platform/process-identity.ts'
import { merge, move } from '../../../test/kit/steps.ts'
import type { WorktreeOptions } from '../worktree-options.ts'

const files = { '.gitignore': 'node_modules/\n.env\n', 'package-lock.json': '{"v":1}\n', 'a.txt': 'a\n' }
const countRuns =
  'mkdir -p node_modules && echo run | tee -a ../.state/runs >> node_modules/log && cp package-lock.json node_modules/'
const runs = ({ root }: Repository): number =>
  readFileSync(join(root, '../.state/runs'), 'utf8').length / 'run\n'.length

async function prepared(options: Partial<WorktreeOptions>, repository = makeRepository(files)) {
  const worktrees = await makeWorktrees(repository, options)
  const prepare = (attempt = 1) =>
    worktrees.prepare({ kind: 'prepare', id: `T001/a${attempt}/prepare`, workspace: 'T001' })
  const inspect = (base: string | null) =>
    worktrees.inspect({ kind: 'inspect', id: 'T001/a1/inspect0', workspace: 'T001', base, restore: null })
  const { base } = await prepare()
  return { repository, worktrees, prepare, inspect, base, tree: openRepository(worktrees.path('T001')) }
}

const copying = (...copy: string[]): Partial<WorktreeOptions> => ({ workspace: { ...workspaceConfig, copy } })

describe('set-up', () => {
  test('runs once, and again when the lock file changes', async () => {
    const { repository, worktrees, prepare, base, tree } = await prepared({ setup: [countRuns] })
    await prepare(2)
    expect(tree.read('node_modules/log')).toBe('run\n')
    const other = openRepository(worktrees.path('T002'))
    await worktrees.prepare({ kind: 'prepare', id: 'T002/a1/prepare', workspace: 'T002' })
    other.write('package-lock.json', '{"v":2}\n')
    await merge(worktrees, 'T002', base)
    tree.write('b.txt', 'b\n')
    const merged = await merge(worktrees, 'T001', base)
    if (merged.status !== 'merged') throw new Error(merged.status)
    await move(worktrees, 'T001', merged)
    expect(tree.read('node_modules/package-lock.json')).toBe('{"v":2}\n')
    expect(tree.read('node_modules/log')).toBe('run\nrun\n')
    expect((await prepare(2)).base).toBe(repository.git('rev-parse', 'looper/001-demo'))
    expect(tree.read('node_modules/log')).toBe('run\nrun\n')
  })

  test('runs again when an agent had changed the lock file, although it is put back', async () => {
    const { prepare, tree } = await prepared({ setup: [countRuns] })
    tree.write('package-lock.json', '{"v":3}\n')
    tree.write('node_modules/other/index.js', '1')
    await prepare(2)
    expect(runs(tree)).toBe(2)
    expect(readdirSync(join(tree.root, 'node_modules')).toSorted()).toEqual(['log', 'package-lock.json'])
  })

  test('runs again in a work tree made anew, and after it had failed', async () => {
    const repository = makeRepository(files)
    const worktrees = await makeWorktrees(repository, {
      setup: [`test -e '${repository.root}/go' || exit 7`, countRuns],
    })
    const prepare = () => worktrees.prepare({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' })
    await expect(prepare()).rejects.toMatchObject({ code: 'WORKSPACE_SETUP' })
    repository.write('go', '')
    await prepare()
    const tree = openRepository(worktrees.path('T001'))
    expect(tree.read('node_modules/log')).toBe('run\n')
    rmSync(join(tree.root, '.git'), { recursive: true })
    await worktrees.clean()
    await prepare()
    expect(tree.read('node_modules/log')).toBe('run\n')
  })

  const daemons: [what: string, line: string][] = [
    ['in a session of its own', 'setsid sh -c "echo \\$\\$ > pid.txt; exec sleep 600" &'],
    [
      'without environment, parent and folder',
      'setsid env -i sh -c "echo \\$\\$ > $PWD/pid.txt; cd /; exec sleep 600" &',
    ],
  ]
  test.runIf(process.platform === 'linux').each(daemons)(
    'a process that it leaves %s is ended with it',
    async (_, line) => {
      const { tree } = await prepared({ setup: [`${line} until test -s pid.txt; do sleep 0.02; done`] })
      await expect.poll(() => identityOf(Number(tree.read('pid.txt'))), { timeout: 120_000 }).toBeNull()
    },
  )

  test('files of set-up are never part of a change', async () => {
    const odd = 'made "by\n setup[1]*.txt '
    const setup = [
      `printf x > '${odd}'`,
      'mkdir gen && echo g > gen/one',
      'echo changed > a.txt',
      'rm package-lock.json',
    ]
    const { prepare, inspect, base, tree } = await prepared({ setup })
    expect(tree.git('status', '--porcelain', '--untracked-files=no')).toBe('')
    expect(await inspect(base)).toMatchObject({ fileCount: 0 })
    tree.write('gen/two', 'agent\n')
    tree.write('made "by setup1.txt', 'agent\n')
    tree.git('add', '--force', '.')
    tree.git('commit', '--quiet', '-m', 'everything')
    expect((await inspect(base)).files).toEqual(['gen/two', 'made "by setup1.txt'])
    await prepare(2)
    expect(tree.read(odd)).toBe('x')
    expect(existsSync(join(tree.root, 'gen/two'))).toBe(false)
    expect(await inspect(base)).toMatchObject({ fileCount: 0 })
  })

  test('a folder with very many new files is left out as a whole', async () => {
    const { inspect, base, tree } = await prepared({
      setup: ['mkdir deps && cd deps && for n in $(seq 600); do : > $n; done'],
    })
    expect(await inspect(base)).toMatchObject({ fileCount: 0 })
    const rules = readFileSync(join(tree.root, '../.state/w1.exclude'), 'utf8')
    expect(rules.split('\n').filter((line) => line.startsWith('/deps'))).toEqual(['/deps/'])
  })

  test('a failure names command, exit code and last words, without secrets and control characters', async () => {
    const mask = (text: string): string => text.replaceAll('hunter2', '***')
    const attempt = prepared({ setup: ['true', 'echo early; echo "\u001b[31mno token hunter2" >&2; exit 3'], mask })
    await expect(attempt).rejects.toMatchObject({
      code: 'WORKSPACE_SETUP',
      exitCode: 3,
      details: { exitCode: 3 },
      message:
        'The set-up command `echo early; echo "no token hunter2" >&2; exit 3` failed with exit code 3: early | no token ***',
    })
  })

  test("cannot reach the user's checkout by way of git", async () => {
    const repository = makeRepository(files)
    const before = fingerprint(repository)
    const env = { ...process.env, GIT_DIR: join(repository.root, '.git') }
    const attempt = prepared({ setup: ['rm -r .git; git config looper.test yes'], env }, repository)
    await expect(attempt).rejects.toMatchObject({ code: 'WORKSPACE_SETUP' })
    expect(fingerprint(repository)).toBe(before)
  })
})

describe('copy', () => {
  test('brings files and folders, fresh each time, and keeps them out of changes', async () => {
    const repository = makeRepository(files)
    repository.write('.env', 'SECRET=1\n')
    repository.write('certs/dev key.pem', 'key\n')
    const { prepare, inspect, base, tree } = await prepared(copying('.env', './certs/', 'missing.txt'), repository)
    expect([tree.read('.env'), tree.read('certs/dev key.pem')]).toEqual(['SECRET=1\n', 'key\n'])
    tree.write('.env', 'SECRET=agent\n')
    tree.git('add', '--force', '.env', 'certs')
    tree.git('commit', '--quiet', '-m', 'leak')
    expect(await inspect(base)).toMatchObject({ fileCount: 0 })
    repository.write('.env', 'SECRET=2\n')
    await prepare(2)
    expect(tree.read('.env')).toBe('SECRET=2\n')
  })

  test('a tracked file stays as committed', async () => {
    const repository = makeRepository(files)
    repository.write('a.txt', 'uncommitted\n')
    const { inspect, base, tree } = await prepared(copying('a.txt'), repository)
    expect(tree.read('a.txt')).toBe('a\n')
    expect(await inspect(base)).toMatchObject({ fileCount: 0 })
  })

  test('existing files are not copied again', async () => {
    const repository = makeRepository(files)
    repository.write('node_modules/big.js', 'big\n')
    const { prepare, tree } = await prepared(copying('node_modules'), repository)
    const { ino, mtime } = statSync(join(tree.root, 'node_modules/big.js'))
    await prepare(2)
    expect(statSync(join(tree.root, 'node_modules/big.js')).ino).toBe(ino)
    repository.write('node_modules/big.js', 'new\n')
    utimesSync(join(repository.root, 'node_modules/big.js'), mtime, new Date(mtime.getTime() + 5_000))
    await prepare(3)
    expect(tree.read('node_modules/big.js')).toBe('new\n')
  })

  test.each([
    '../outside.txt',
    '/etc/hostname',
    '',
    '.',
    'a/../..',
    '.git/config',
    '.looper',
    'escape',
    'escape/x.txt',
    'dangling',
  ])('refuses %j', async (path) => {
    const repository = makeRepository(files)
    const outside = openRepository(temporaryFolder())
    outside.write('x.txt', 'x')
    symlinkSync(outside.root, join(repository.root, 'escape'))
    symlinkSync('nowhere', join(repository.root, 'dangling'))
    await expect(prepared(copying(path), repository)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('does not write through a link that is in the work tree', async () => {
    const repository = makeRepository(files)
    const outside = openRepository(temporaryFolder())
    outside.write('victim', 'untouched\n')
    symlinkSync(outside.root, join(repository.root, 'conf'))
    symlinkSync(join(outside.root, 'victim'), join(repository.root, 'target'))
    repository.commit('Links')
    unlinkSync(join(repository.root, 'conf'))
    unlinkSync(join(repository.root, 'target'))
    mkdirSync(join(repository.root, 'conf'))
    repository.write('conf/victim', 'copied\n')
    repository.write('target', 'copied\n')
    await expect(prepared(copying('conf/victim'), repository)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await prepared(copying('target'), repository)
    expect(outside.read('victim')).toBe('untouched\n')
  })

  test('follows a link inside the checkout, so that the copy leads nowhere', async () => {
    const repository = makeRepository(files)
    repository.write('.env', 'SECRET=1\n')
    symlinkSync(join(repository.root, '.env'), join(repository.root, '.env.local'))
    const { tree } = await prepared(copying('.env.local'), repository)
    tree.write('.env.local', 'SECRET=agent\n')
    expect(repository.read('.env')).toBe('SECRET=1\n')
  })
})
