/** Changes around a real repository and home folder are each reported once. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import type { Surroundings } from '../../model/outside.ts'
import { openSurroundings, type SurroundingsOptions } from './surroundings.ts'

interface Scene {
  repository: Repository
  home: string
  options: SurroundingsOptions
  put(path: string, text: string): void
  changed(): string[]
}

function scene(more: Partial<SurroundingsOptions> = {}): Scene {
  const repository = makeRepository()
  const { root, git } = repository
  const home = temporaryFolder()
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  put('.profile', 'export A=1\n')
  put('.ssh/config', 'Host x\n')
  put('.claude/settings.json', '{}')
  put('.config/tool/deep', 'x')
  repository.write('src/deep/a.ts', 'a\n')
  repository.write('.gitignore', 'dist/\n.env\n')
  repository.write('.env', 'A=1\n')
  repository.write('dist/a.js', 'a\n')
  repository.commit('more')
  git('branch', 'other')
  const options: SurroundingsOptions = {
    root,
    gitDir: join(root, '.git'),
    commonDir: join(root, '.git'),
    home,
    env: {},
    inPlace: false,
    backlog: 'to-do.json',
    settings: [join(home, '.claude/settings.json')],
    allowed: [join(home, '.claude'), join(home, '.claude.json')],
    own: [join(home, '.cache/looper/workspaces')],
    configFiles: [join(home, '.config/looper/config.json'), join(root, '.looper/config.json')],
    file: join(temporaryFolder(), 'stamps.json'),
    ...more,
  }
  const surroundings: Surroundings = openSurroundings(options, 'now')
  return { repository, home, options, put, changed: () => surroundings.changed(true)?.paths ?? [] }
}

const changes: [what: string, change: (given: Scene) => unknown, names: string[]][] = [
  ['a tracked file', ({ repository }) => repository.write('src/deep/a.ts', 'b\n'), ['src/deep/a.ts']],
  ['its mode', ({ repository: { root } }) => chmodSync(join(root, 'src/deep/a.ts'), 0o755), ['src/deep/a.ts']],
  ['a deleted file', ({ repository: { root } }) => rmSync(join(root, 'src/deep/a.ts')), ['src/deep/a.ts']],
  ['a new file', ({ repository }) => repository.write('src/new.ts', ''), ['src/new.ts']],
  ['a new folder', ({ repository }) => repository.write('planted/x', ''), ['planted']],
  ['an ignored file', ({ repository }) => repository.write('.env', 'A=2\n'), ['.env']],
  ['a file in an ignored folder', ({ repository }) => repository.write('dist/b.js', ''), ['dist']],
  ['the index', ({ repository: { git } }) => git('rm', '-q', '--cached', 'src/deep/a.ts'), ['.git/index']],
  ['settings', ({ repository: { git } }) => git('config', 'core.pager', 'evil'), ['.git/config']],
  ['a hook', ({ repository }) => repository.write('.git/hooks/pre-commit', ''), ['.git/hooks/pre-commit']],
  [
    'attributes',
    ({ repository }) => repository.write('.git/info/attributes', '* filter=t\n'),
    ['.git/info/attributes'],
  ],
  ['HEAD', ({ repository: { git } }) => git('symbolic-ref', 'HEAD', 'refs/heads/other'), ['.git/HEAD']],
  ['a branch', ({ repository: { git } }) => git('branch', 'new'), ['refs/heads/new']],
  ['a deleted branch', ({ repository: { git } }) => git('branch', '-q', '-D', 'other'), ['refs/heads/other']],
  [
    'a packed branch that moves',
    ({ repository: { git } }) => {
      git('pack-refs', '--all')
      git('update-ref', 'refs/heads/other', 'HEAD~1')
    },
    ['refs/heads/other'],
  ],
  ['a tag', ({ repository: { git } }) => git('tag', 'v1'), ['refs/tags/v1']],
  [
    'a work tree',
    ({ repository: { git }, home }) => git('worktree', 'add', '-q', '-b', 'wt', join(home, 'wt')),
    ['~/wt', '.git/worktrees/wt', 'refs/heads/wt'],
  ],
  [
    'a stash',
    ({ repository }) => {
      repository.write('src/deep/a.ts', 'c\n')
      repository.git('stash', '-q')
    },
    ['refs/stash', 'src/deep/a.ts'],
  ],
  [
    'configuration of Looper',
    ({ repository }) => repository.write('.looper/config.json', '{}'),
    ['.looper/config.json'],
  ],
  ['a start-up file', ({ put }) => put('.profile', 'export A=2\n'), ['~/.profile']],
  ['a new file in the home folder', ({ put }) => put('.npmrc', ''), ['~/.npmrc']],
  ['a key', ({ put }) => put('.ssh/authorized_keys', ''), ['~/.ssh/authorized_keys']],
  ['a folder of settings', ({ put }) => put('.config/new/x', ''), ['~/.config/new']],
  ['settings of an agent', ({ put }) => put('.claude/settings.json', '{"hooks":{}}'), ['~/.claude/settings.json']],
  [
    'a file beside the workspaces',
    ({ put }) => put('.cache/looper/node_modules/x', ''),
    ['~/.cache/looper/node_modules'],
  ],
]

test.each(changes)('%s is named', (_, change, names) => {
  const given = scene()
  change(given)
  expect(given.changed()).toEqual(names)
  expect(given.changed()).toEqual([])
})

const others: [what: string, change: (given: Scene) => unknown][] = [
  [
    'refs of runs',
    ({ repository: { git } }) => {
      git('branch', 'looper/001-x')
      git('update-ref', 'refs/looper/001-x/tip', 'HEAD')
    },
  ],
  ['packed refs', ({ repository: { git } }) => git('pack-refs', '--all')],
  ['new objects', ({ repository: { git } }) => git('hash-object', '-w', 'src/deep/a.ts')],
  [
    'a refreshed index',
    ({ repository: { root, git } }) => {
      appendFileSync(join(root, '.git/index'), '')
      utimesSync(join(root, '.git/index'), 1, 1)
      git('update-index', '--refresh')
    },
  ],
  ['folders of runs', ({ repository }) => repository.write('.looper/runs/001/events.jsonl', '')],
  ['workspaces', ({ put }) => put('.cache/looper/workspaces/1/x', '')],
  [
    'caches',
    ({ put }) => {
      put('.cache/pip/x', '')
      put('.npm/x', '')
    },
  ],
  [
    'the state of agents',
    ({ put }) => {
      put('.claude.json', '{}')
      put('.claude/projects/x', '')
    },
  ],
  ['the history of a shell', ({ put }) => put('.bash_history', 'ls\n')],
  ['the backlog', ({ repository }) => repository.write('to-do.json', '{}')],
]

test.each(others)('%s are no change', (_, change) => {
  const given = scene()
  change(given)
  expect(given.changed()).toEqual([])
})

test('the folder of runs is no change where git tracks the configuration beside it', () => {
  const { repository, options } = scene()
  repository.write('.looper/config.json', '{}')
  repository.commit('configure')
  repository.write('.looper/runs/.starting-1.log', '')
  const surroundings = openSurroundings(options, 'now')
  rmSync(join(repository.root, '.looper/runs/.starting-1.log'))
  utimesSync(join(repository.root, '.looper/runs'), 1, 1)
  expect(surroundings.changed(true)).toBeNull()
})

test('in place, the checkout and its branch are the workspace; hooks and other branches are not', () => {
  const given = scene({ inPlace: true })
  given.repository.write('src/new.ts', '')
  given.repository.commit('by Looper')
  expect(given.changed()).toEqual([])
  given.repository.git('branch', 'new')
  given.repository.write('.git/hooks/pre-push', '')
  expect(given.changed()).toEqual(['.git/hooks/pre-push', 'refs/heads/new'])
})

test('a large checkout is compared when the run rests, the rest of it always', () => {
  const { repository, options } = scene()
  for (let n = 0; n < 600; n++) repository.write(`many/${n}`, '')
  repository.commit('many')
  const surroundings = openSurroundings(options, 'now')
  repository.write('many/0', 'x')
  repository.git('tag', 'v1')
  expect(surroundings.changed(false)?.paths).toEqual(['refs/tags/v1'])
  expect(surroundings.changed(false)).toBeNull()
  expect(surroundings.changed(true)?.paths).toEqual(['many/0'])
})

test('changes since a process died are seen by the next one, but not after a rest', () => {
  const { options, put } = scene()
  put('.profile', 'export A=3\n')
  expect(openSurroundings(options, 'crash').changed(true)?.paths).toEqual(['~/.profile'])
  put('.profile', 'export A=44\n')
  expect(openSurroundings(options, 'now').changed(true)).toBeNull()
  writeFileSync(options.file, 'nonsense')
  expect(openSurroundings(options, 'crash').changed(true)).toBeNull()
})

test('nothing counts as changed because the repository was moved', () => {
  const { options } = scene()
  const root = `${options.root}-moved`
  renameSync(options.root, root)
  const moved = { ...options, root, gitDir: join(root, '.git'), commonDir: join(root, '.git') }
  const surroundings = openSurroundings(moved, 'crash')
  expect(surroundings.changed(true)).toBeNull()
  writeFileSync(join(root, 'a.txt'), 'changed after the move\n')
  expect(surroundings.changed(true)?.paths).toEqual(['a.txt'])
})

test('many paths are counted, and a file that changes all the time is named three times', () => {
  const given = scene()
  for (let n = 0; n < 60; n++) given.put(`planted${n}`, '')
  const surroundings = openSurroundings(given.options, 'crash')
  const found = surroundings.changed(true)
  expect([found?.paths.length, found?.more]).toEqual([50, 10])
  const seen = [1, 22, 333, 4444, 55_555].map((n) => {
    given.put('.profile', String(n))
    return surroundings.changed(false)?.paths ?? []
  })
  expect(seen).toEqual([['~/.profile'], ['~/.profile'], ['~/.profile'], [], []])
})

test('pipes, links in circles and a repository that is gone do not stop it', () => {
  const given = scene()
  const { root } = given.repository
  execFileSync('mkfifo', [join(root, '.git/refs/heads/pipe'), join(given.home, '.npmrc')])
  symlinkSync('circle', join(given.home, 'circle'))
  expect(given.changed()).toEqual(['~/.npmrc', '~/circle', 'refs/heads/pipe'])
  rmSync(root, { recursive: true })
  expect(given.changed()).toContain('src/deep/a.ts')
})

test('a flood of names hides none that reaches further', () => {
  const given = scene()
  for (let n = 0; n < 60; n++) given.repository.write(`new-${n}.txt`, '')
  given.put('.npmrc', 'planted')
  const [first] = given.changed()
  expect(first).toBe('~/.npmrc')
})

describe('settings files', () => {
  test('another content with the same size and times is a change', () => {
    const { repository, changed } = scene()
    for (const path of ['.looper/config.json', '.looper/prompts/coder.implement.md']) {
      const file = join(repository.root, path)
      repository.write(path, 'one')
      utimesSync(file, 1, 1)
      changed()
      writeFileSync(file, 'two')
      utimesSync(file, 1, 1)
      expect(changed()).toEqual([path])
    }
  })

  test('are named first, whatever else changed', () => {
    const { repository, put, changed } = scene()
    for (let n = 0; n < 60; n++) put(`bin/${n}`, '')
    put('.config/looper/config.json', '{}')
    repository.write('.looper/config.json', '{}')
    expect(changed().slice(0, 2)).toEqual(['.looper/config.json', '~/.config/looper/config.json'])
  })
})
