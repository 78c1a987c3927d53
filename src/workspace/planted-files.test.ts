/** Damage to the small files about a work tree, by an agent or a power cut, costs only those files. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRepository, temporaryFolder, workspacesOf } from '../../test/kit/repository.ts'
import { inspect, merge, prepare, ready } from '../../test/kit/steps.ts'
import { readNow } from '../platform/files.ts'
import { replaceFile } from './clones/work-tree.ts'
import { openLeases } from './clones/leases.ts'

const plant: Record<string, (path: string) => void> = {
  nothing: () => {},
  'an empty file': (path) => writeFileSync(path, ''),
  'a folder': (path) => mkdirSync(join(path, 'inner'), { recursive: true }),
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to itself': (path) => symlinkSync(path, path),
  'an endless device': (path) => symlinkSync('/dev/zero', path),
}
const put = (what: string, path: string): void => {
  rmSync(path, { recursive: true, force: true })
  plant[what]?.(path)
}

const gitDir = 'w1/.git'
const state = '.state'
const cases: [what: string, where: string][] = [
  ...['nothing', 'an empty file', 'a folder', 'a pipe', 'a link to itself', 'an endless device'].map(
    (what): [string, string] => [what, `${gitDir}/HEAD`],
  ),
  ...['nothing', 'an empty file', 'a folder', 'a pipe', 'a link to itself'].map((what): [string, string] => [
    what,
    `${gitDir}/objects/info/alternates`,
  ]),
  ...['a folder', 'a pipe', 'a link to itself'].map((what): [string, string] => [what, `${gitDir}/index`]),
  ...['an empty file', 'a folder', 'a pipe', 'a link to itself'].map((what): [string, string] => [
    what,
    `${gitDir}/index.looper`,
  ]),
  ...['a folder', 'a pipe'].flatMap((what): [string, string][] =>
    ['w1.lease', 'w1.lease.new', 'w1.setup', 'w1.index.lock'].map((name) => [what, `${state}/${name}`]),
  ),
]

test.each(cases)('%s as %s: what was made is seen and lands, and the work tree goes on', async (what, where) => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001')
  at('T001').write('made.txt', 'made\n')
  put(what, join(workspacesOf(repository), where))
  const { tree, files } = await inspect(worktrees, 'T001', base)
  expect(files).toEqual(['made.txt'])
  expect(await merge(worktrees, 'T001', base, tree)).toMatchObject({ status: 'landed' })
  await prepare(worktrees, 'T001', 2)
  expect(at('T001').git('status', '--branch', '--porcelain')).toBe('## HEAD (no branch)')
  expect(at('T001').read('made.txt')).toBe('made\n')
})

test.each(['an empty file', 'a folder', 'a pipe', 'a link to itself'])(
  '%s as .git.looper-new does not keep .git from being repaired',
  async (what) => {
    const { worktrees, base, at } = await ready(makeRepository(), 'T001')
    at('T001').write('made.txt', 'made\n')
    rmSync(join(at('T001').root, '.git'), { recursive: true })
    put(what, join(at('T001').root, '.git.looper-new'))
    expect((await inspect(worktrees, 'T001', base)).files).toEqual(['made.txt'])
  },
)

describe("files of Looper's own", () => {
  test.each(Object.keys(plant))('%s in the way is replaced, and what a link leads to is left alone', (what) => {
    const folder = temporaryFolder()
    const path = join(folder, 'lease')
    put(what, `${path}.new`)
    replaceFile(path, 'one')
    rmSync(path)
    put(what, path)
    replaceFile(path, 'two')
    expect(readFileSync(path, 'utf8')).toBe('two')
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test.each(['a folder', 'a pipe', 'an endless device'])('%s is no file to be read, nor a lease', (what) => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.state'))
    put(what, join(folder, '.state/w1.lease'))
    expect(readNow(join(folder, '.state/w1.lease'))).toBeNull()
    expect(openLeases(folder).names()).toEqual([])
  })
})
