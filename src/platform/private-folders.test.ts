import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePrivateFolders, removePrivateFolders, type PrivateFolders } from './private-folders.ts'

let user: string
let key: string
/** A folder with a file for each program that has a download cache. */
let bin: string
beforeEach(() => {
  bin = realpathSync(mkdtempSync(join(tmpdir(), 'looper-bin-')))
  for (const name of ['node', 'bun', 'go', 'cargo', 'java', 'dotnet', 'mix', 'dart']) writeFileSync(join(bin, name), '')
  user = realpathSync(mkdtempSync(join(tmpdir(), 'looper-home-')))
  key = `test-${Math.random().toString(36).slice(2)}`
})
afterEach(async () => {
  await removePrivateFolders(key)
  for (const folder of [user, bin]) rmSync(folder, { recursive: true, force: true })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(user, path)), { recursive: true })
  writeFileSync(join(user, path), text)
}

const make = (more: Record<string, string> = {}, kept: string[] = []): PrivateFolders =>
  makePrivateFolders({ key, env: { HOME: user, PATH: `/none:${bin}`, ...more }, home: true, kept })
const homeOf = ({ env }: PrivateFolders): string => env['HOME'] ?? ''
const list = (): string[] => readdirSync(user, { recursive: true, encoding: 'utf8' }).toSorted()

test('everything in the home folder of the user is found', () => {
  put('.gitconfig', 'git')
  put('.config/tool/settings', 'tool')
  put('.local/share/tool/data', 'data')
  put('.npm/_cacache/x', 'npm')
  symlinkSync('/nonexistent', join(user, 'dangling'))
  const home = homeOf(make())
  expect(readFileSync(join(home, '.gitconfig'), 'utf8')).toBe('git')
  expect(readFileSync(join(home, '.config/tool/settings'), 'utf8')).toBe('tool')
  expect(readFileSync(join(home, '.local/share/tool/data'), 'utf8')).toBe('data')
  writeFileSync(join(home, '.npm/new'), '')
  expect(existsSync(join(user, '.npm/new'))).toBe(true)
  expect(lstatSync(join(home, 'dangling')).isSymbolicLink()).toBe(true)
})

const states = ['.seen', '.config/seen', '.local/share/seen', '.local/state/tool/seen', 'folder/seen']

test.each(states)('a new %s is gone for the next command', async (path) => {
  for (const folder of ['.config', '.local/share', '.local/state']) mkdirSync(join(user, folder), { recursive: true })
  const before = list()
  for (const _time of [1, 2]) {
    const folders = make()
    const file = join(homeOf(folders), path)
    expect(existsSync(file)).toBe(false)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    await folders.remove()
  }
  expect(list().filter((name) => !name.startsWith('.cache'))).toEqual(before)
})

test('temporary files have an empty folder, for this user alone, that is gone afterwards', async () => {
  const folders = makePrivateFolders({ key, env: {}, home: false })
  expect(Object.keys(folders.env)).toEqual(['TMPDIR', 'TMP', 'TEMP'])
  expect([readdirSync(folders.tmp), statSync(dirname(folders.tmp)).mode & 0o777]).toEqual([[], 0o700])
  mkdirSync(join(folders.tmp, 'locked'))
  writeFileSync(join(folders.tmp, 'locked/file'), '')
  chmodSync(join(folders.tmp, 'locked'), 0)
  await folders.remove()
  expect(existsSync(dirname(folders.tmp))).toBe(false)
})

test('removing never follows a link', async () => {
  put('precious/file', 'x')
  put('.config/precious', 'x')
  chmodSync(join(user, 'precious/file'), 0o400)
  const before = list()
  const folders = make()
  const own = join(homeOf(folders), 'own')
  mkdirSync(own)
  symlinkSync(join(user, 'precious'), join(own, 'link'))
  chmodSync(own, 0)
  await folders.remove()
  expect(existsSync(own)).toBe(false)
  expect(list().filter((name) => !name.startsWith('.cache'))).toEqual(before)
  expect(statSync(join(user, 'precious/file')).mode & 0o777).toBe(0o400)
})

test('a link or a file with the name of a private folder is left alone', async () => {
  put('precious/file', 'x')
  chmodSync(join(user, 'precious'), 0o500)
  const [link, file] = [8, 9].map((number) => join(tmpdir(), `looper-${key}-${number}`)) as [string, string]
  symlinkSync(join(user, 'precious'), link)
  writeFileSync(file, '')
  try {
    await removePrivateFolders(key)
    expect([lstatSync(link).isSymbolicLink(), lstatSync(file).isFile()]).toEqual([true, true])
    expect(statSync(join(user, 'precious')).mode & 0o777).toBe(0o500)
  } finally {
    for (const path of [link, file]) rmSync(path, { force: true })
    chmodSync(join(user, 'precious'), 0o700)
  }
})

test('folders that variables name are linked in the same way', async () => {
  put('elsewhere/tool', 'x')
  const folders = make({ XDG_STATE_HOME: join(user, 'elsewhere'), XDG_CONFIG_HOME: join(user, 'missing') })
  const { XDG_STATE_HOME: state = '', XDG_CONFIG_HOME: config = '' } = folders.env
  expect([readdirSync(state), readdirSync(config)]).toEqual([['tool'], []])
  writeFileSync(join(state, 'seen'), '')
  await folders.remove()
  expect(readdirSync(join(user, 'elsewhere'))).toEqual(['tool'])
})

test('variables that a person set stay', () => {
  const { env } = make({ XDG_STATE_HOME: '/x' }, ['HOME', 'TMPDIR', 'XDG_STATE_HOME'])
  expect(Object.keys(env)).toEqual(['TMP', 'TEMP'])
})

test('without a home folder there is none', () => {
  expect(make({ HOME: join(user, 'none') }).env['HOME']).toBeUndefined()
  expect(makePrivateFolders({ key, env: {}, home: true }).env['HOME']).toBeUndefined()
})

const downloads = [
  '.m2/repository/x',
  '.cargo/registry/x',
  '.gradle/caches/x',
  'go/pkg/mod/x',
  '.npm/_cacache/x',
  '.cargo/.package-cache',
]

test.each(downloads)('%s of a user who has none yet is kept for the next command', async (path) => {
  const first = make()
  writeFileSync(join(homeOf(first), path), 'x')
  await first.remove()
  expect(readFileSync(join(homeOf(make()), path), 'utf8')).toBe('x')
  expect(list().filter((name) => !name.startsWith('.cache'))).toEqual([])
})

test('there is no folder for the downloads of a program that is not installed', () => {
  rmSync(join(bin, 'go'))
  expect(readdirSync(homeOf(make()))).toContain('.cargo')
  expect(readdirSync(homeOf(make()))).not.toContain('go')
})

test('a folder with many files is removed', async () => {
  const folders = make()
  for (let at = 0; at < 500; at++) writeFileSync(join(folders.tmp, String(at)), '')
  mkdirSync(join(folders.tmp, 'a/b/c'), { recursive: true })
  symlinkSync(user, join(folders.tmp, 'a/link'))
  put('kept', '')
  await folders.remove()
  expect(existsSync(dirname(folders.tmp))).toBe(false)
  expect(list()).toContain('kept')
})

const settings = [
  '.cargo/config.toml',
  '.cargo/bin/cargo',
  '.m2/settings.xml',
  '.gradle/init.gradle',
  '.gradle/gradle.properties',
  '.sbt/1.0/global.sbt',
  '.bun/bin/bun',
  '.yarn/releases/yarn.cjs',
  '.ivy2/settings',
  'go/bin/tool',
  '.npm/settings',
  '.nuget/NuGet/NuGet.Config',
  '.hex/hex.config',
  '.mix/archives/x',
  '.pub-cache/bin/x',
  '.ccache/ccache.conf',
]

test.each(settings)('a new %s beside the downloads is gone for the next command', async (path) => {
  for (const _time of [1, 2]) {
    const folders = make()
    const file = join(homeOf(folders), path)
    expect(existsSync(file)).toBe(false)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    await folders.remove()
  }
})

test('commands side by side have their own; one after the other, the same paths', async () => {
  const [one, two] = [make(), make()]
  expect(one.tmp).not.toBe(two.tmp)
  await one.remove()
  expect(make().tmp).toBe(one.tmp)
  await removePrivateFolders(key)
  expect([one, two].map(({ tmp }) => existsSync(tmp))).toEqual([false, false])
})

test('git finds its settings', () => {
  put('.gitconfig', '[user]\n\tname = Someone\n')
  const env = { PATH: process.env['PATH'], ...make().env }
  expect(execFileSync('git', ['config', 'user.name'], { env, encoding: 'utf8', cwd: '/' })).toBe('Someone\n')
})

test.each(['nothing', 'a file'])('TMPDIR names %s: the error names TMPDIR', (what) => {
  const missing = what === 'nothing' ? join(user, 'gone') : join(bin, 'node')
  vi.stubEnv('TMPDIR', missing)
  try {
    expect(() => make()).toThrow(
      expect.objectContaining({
        code: 'ENVIRONMENT_IO',
        message: `the folder for temporary files does not exist: ${missing}`,
        fix: `Set TMPDIR to a folder that exists, or create ${missing}`,
      }),
    )
  } finally {
    vi.unstubAllEnvs()
  }
})
