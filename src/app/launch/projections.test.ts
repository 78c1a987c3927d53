import { execFileSync } from 'node:child_process'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { completedRun } from '../../../test/kit/runs.ts'
import { createProjections } from './projections.ts'

let dir: string
let victim: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'looper-projections-'))
  victim = join(dir, 'victim')
  writeFileSync(victim, 'precious')
})
afterEach(() => rmSync(dir, { recursive: true }))

const names = ['plan.md', 'progress.md', 'report.md']

test.each<[string, (path: string) => void]>([
  ['a link', (path) => symlinkSync(victim, path)],
  ['a second name of a file', (path) => linkSync(victim, path)],
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
])('%s in the place of a file for people is replaced, not written through', (_, plant) => {
  for (const name of names) for (const path of [join(dir, name), join(dir, `${name}.new`)]) plant(path)
  const { state } = completedRun()
  createProjections(dir, state).write(state)
  for (const name of names) {
    expect(lstatSync(join(dir, name)).isFile()).toBe(true)
    expect(readFileSync(join(dir, name), 'utf8')).toContain(state.goal)
  }
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(readdirSync(dir).toSorted()).toEqual([...names, 'victim'])
})

test('a failed write does not throw', () => {
  mkdirSync(join(dir, 'plan.md', 'deep'), { recursive: true })
  const { state } = completedRun()
  createProjections(dir, state).write(state)
  expect(readFileSync(join(dir, 'report.md'), 'utf8')).toContain(state.goal)
})
