import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import { initialLoop } from '../../core/state/loop.ts'
import type { ProgressEntry } from '../../model/state.ts'
import { createPassFiles, type PassFiles } from './pass-files.ts'

let folder: string
let [root, cwd] = ['', '']
let troubles: string[] = []
let passFiles: PassFiles

const open = (backlog = 'to-do.json'): PassFiles =>
  createPassFiles({
    root,
    dir: join(folder, 'run'),
    backlog,
    mask: (text) => text,
    onTrouble: (message) => troubles.push(message),
  })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-pass-files-'))
  ;[root, cwd] = ['root', 'workspace'].map((name) => join(folder, name)) as [string, string]
  for (const path of [root, cwd]) mkdirSync(path)
  troubles = []
  passFiles = open()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const state = sampleState()
const text = (...tasks: object[]): string => `${JSON.stringify({ tasks }, null, 2)}\n`
const [one, two] = [
  { id: 'T1', title: 'one' },
  { id: 'T2', title: 'two' },
]
const file = (): string => join(root, 'to-do.json')
const copy = (): string => join(cwd, 'to-do.json')

test('C4: mode and link of the backlog stay as they are', async () => {
  writeFileSync(join(folder, 'elsewhere.json'), text(one))
  chmodSync(join(folder, 'elsewhere.json'), 0o664)
  symlinkSync('../elsewhere.json', file())
  passFiles.lay(cwd, state)
  expect(readFileSync(copy(), 'utf8')).toBe(text(one))
  writeFileSync(copy(), text(one, two))
  await passFiles.read(cwd, state)
  expect(lstatSync(file()).isSymbolicLink()).toBe(true)
  expect(statSync(file()).mode & 0o777).toBe(0o664)
  expect(readFileSync(file(), 'utf8')).toBe(text(one, two))
  expect(troubles).toEqual([])
})

test('C4: after a crash, edits of the pass are distinguished from edits by hand', async () => {
  writeFileSync(file(), text(one, two))
  passFiles.lay(cwd, state)
  writeFileSync(copy(), text({ ...one, title: 'by the agent' }, two))
  writeFileSync(file(), text(one, { ...two, title: 'by hand' }))
  const given = readFileSync(join(folder, 'run', 'loop', 'given-backlog'))
  await open().read(cwd, state)
  const result = text({ ...one, title: 'by the agent' }, { ...two, title: 'by hand' })
  expect(readFileSync(file(), 'utf8')).toBe(result)
  // After a crash right after the write, the same merge runs again.
  writeFileSync(join(folder, 'run', 'loop', 'given-backlog'), given)
  await open().read(cwd, state)
  expect(readFileSync(file(), 'utf8')).toBe(result)
})

test('C4: the copy of one pass is not the base of another that received none', async () => {
  writeFileSync(file(), text(one))
  passFiles.lay(cwd, state)
  renameSync(file(), `${file()}~`)
  passFiles.lay(cwd, state)
  renameSync(`${file()}~`, file())
  writeFileSync(copy(), text(one, two))
  await passFiles.read(cwd, state)
  expect(readFileSync(file(), 'utf8')).toBe(text(one))
})

test('C4: every pass is given the backlog as it is then, however shortly before it was changed', async () => {
  for (const title of ['one', 'two', 'six']) {
    writeFileSync(file(), text({ ...one, title }))
    passFiles.lay(cwd, state)
    expect(readFileSync(copy(), 'utf8')).toBe(text({ ...one, title }))
    await passFiles.read(cwd, state)
  }
})

test('C4: an unchanged backlog is copied again, without the earlier edits of the copy', async () => {
  writeFileSync(file(), text(one))
  // Long enough that the file counts as unchanged and is not read again.
  await setTimeout(150)
  for (const left of [text(one), '{', text(one)]) {
    passFiles.lay(cwd, state)
    expect(readFileSync(copy(), 'utf8')).toBe(text(one))
    writeFileSync(copy(), left)
    await passFiles.read(cwd, state)
    expect(readFileSync(file(), 'utf8')).toBe(text(one))
  }
  passFiles.lay(cwd, state)
  writeFileSync(copy(), text(one, two))
  await passFiles.read(cwd, state)
  passFiles.lay(cwd, state)
  expect(readFileSync(copy(), 'utf8')).toBe(text(one, two))
})

test('C4: a pass that was given no copy costs no look at the backlog', async () => {
  writeFileSync(file(), text(one))
  passFiles.lay(root, state)
  // A file system that keeps access times updates this one on a read, because it is older than the modification time.
  utimesSync(file(), 1, 2)
  await passFiles.read(root, state)
  expect(statSync(file()).atimeMs).toBe(1000)
})

test('C4: the sign for what is no text is text when an agent writes it', async () => {
  writeFileSync(file(), text(one))
  passFiles.lay(cwd, state)
  writeFileSync(copy(), text({ ...one, title: '\uFFFD' }))
  await passFiles.read(cwd, state)
  expect(readFileSync(file(), 'utf8')).toBe(text({ ...one, title: '\uFFFD' }))
  expect(troubles).toEqual([])
})

test.each([
  ['is broken', '{', /^the agent's changes of to-do\.json could not be merged: to-do\.json:1:2: /],
  ['would break the backlog', text(one, two, two), /merged: to-do\.json: tasks\[2\] has the id of tasks\[1\]$/],
  ['is no text', Buffer.from([...Buffer.from(text(one).replace('one', '')), 0xff]), /not UTF-8 text/],
])('C4: a copy that %s is not merged, and that is reported', async (_name, left, told) => {
  writeFileSync(file(), text(one))
  passFiles.lay(cwd, state)
  writeFileSync(copy(), left)
  expect(await passFiles.read(cwd, state)).toEqual({ progress: null, output: null })
  expect(readFileSync(file(), 'utf8')).toBe(text(one))
  expect(troubles).toEqual([expect.stringMatching(told)])
})

test('C4: an unreadable backlog is not copied, and a warning says so', () => {
  mkdirSync(file())
  passFiles.lay(cwd, state)
  expect(troubles).toEqual(['the agent received no copy of to-do.json: to-do.json: is a folder, not a file'])
})

test('C5: text that an agent adds to a long progress file is read', async () => {
  const entry = (iteration: number): ProgressEntry => ({
    name: 'draft',
    iteration,
    status: 'done',
    summary: 'x',
    notes: `${iteration}`.repeat(8_000),
    changed: 0,
    at: '',
  })
  const long = { ...state, loop: { ...initialLoop(), entries: Array.from({ length: 12 }, (_, index) => entry(index)) } }
  passFiles.lay(cwd, long)
  appendFileSync(join(cwd, '.looper/loop/progress.md'), '\nmy note\n')
  expect(await passFiles.read(cwd, long)).toEqual({ progress: 'my note', output: null })
})

const output = 'loop/output.md'
const plant = (name: string, kind: string): void => {
  mkdirSync(join(folder, 'elsewhere', 'loop'), { recursive: true })
  for (const path of [output, 'output.md', 'progress.md']) writeFileSync(join(folder, 'elsewhere', path), 'precious')
  mkdirSync(dirname(join(cwd, name)), { recursive: true })
  if (kind === 'link') symlinkSync(join(folder, 'elsewhere'), join(cwd, name))
  else if (kind === 'link to nothing') symlinkSync(join(folder, 'nothing'), join(cwd, name))
  else if (kind === 'file') writeFileSync(join(cwd, name), '')
  else if (kind === 'pipe') execFileSync('mkfifo', [join(cwd, name)])
  else mkdirSync(join(cwd, name), { mode: 0 })
}
test.each(
  ['.looper', '.looper/loop'].flatMap((name) =>
    ['link', 'link to nothing', 'file', 'pipe', 'closed folder'].map((kind) => [name, kind] as const),
  ),
)('C4: %s as a %s leads nowhere and stops nothing', async (name, kind) => {
  plant(name, kind)
  passFiles.lay(cwd, state)
  for (const path of ['.looper', '.looper/loop']) expect(lstatSync(join(cwd, path)).mode & 0o040700).toBe(0o040700)
  for (const path of [output, 'output.md', 'progress.md'])
    expect(readFileSync(join(folder, 'elsewhere', path), 'utf8')).toBe('precious')
  expect(existsSync(join(folder, 'nothing'))).toBe(false)
  writeFileSync(join(cwd, '.looper', output), 'from the pass')
  expect(await passFiles.read(cwd, state)).toMatchObject({ output: 'from the pass' })
})

test.each(['.looper', '.looper/loop'])('C4: nothing is read through a link that a pass made of %s', async (name) => {
  passFiles.lay(cwd, state)
  rmSync(join(cwd, name), { recursive: true })
  plant(name, 'link')
  expect(await passFiles.read(cwd, state)).toEqual({ progress: null, output: null })
})

test("C4: in the user's checkout the folder of Looper may be kept elsewhere", () => {
  mkdirSync(join(folder, 'kept'))
  symlinkSync('../kept', join(root, '.looper'))
  passFiles.lay(root, state)
  expect(lstatSync(join(root, '.looper')).isSymbolicLink()).toBe(true)
  expect(existsSync(join(folder, 'kept/loop/progress.md'))).toBe(true)
})

test("C4: the copy of a backlog is not written through a link in its folder's place", () => {
  mkdirSync(join(root, 'plans'))
  mkdirSync(join(folder, 'elsewhere'))
  writeFileSync(join(root, 'plans/to-do.json'), text(one))
  writeFileSync(join(folder, 'elsewhere/to-do.json'), 'precious')
  symlinkSync(join(folder, 'elsewhere'), join(cwd, 'plans'))
  passFiles = open('plans/to-do.json')
  passFiles.lay(cwd, state)
  expect(readFileSync(join(folder, 'elsewhere/to-do.json'), 'utf8')).toBe('precious')
  expect(troubles).toEqual(['the agent received no copy of plans/to-do.json: plans is not a folder there'])
})
