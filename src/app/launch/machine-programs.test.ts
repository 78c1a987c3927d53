import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { machinePrograms } from './machine-programs.ts'

let home: string
const at = (...parts: string[]): string => join(home, ...parts)
const old = new Date(2020, 1, 1)

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'programs-'))
  for (const folder of ['bin', 'opt', 'lib/python3.11/site-packages/pytest']) mkdirSync(at(folder), { recursive: true })
  for (const name of ['opt/runner-1', 'opt/runner-2', 'bin/python3', 'bin/other']) {
    writeFileSync(at(name), '#!/bin/sh\n')
    chmodSync(at(name), 0o755)
  }
  symlinkSync(at('opt/runner-1'), at('bin/runner'))
  for (const folder of ['bin', 'lib/python3.11/site-packages']) utimesSync(at(folder), old, old)
})
afterEach(() => rmSync(home, { recursive: true }))

const seen = (command: string): Promise<string[]> => machinePrograms(command, `${at('bin')}:relative`, home)

test.each<[what: string, command: string, change: () => void]>([
  ['a program of the command is removed', 'runner --all', () => unlinkSync(at('bin/runner'))],
  ['a program that only a script names is removed', 'npm test', () => unlinkSync(at('bin/other'))],
  [
    'a package of Python is removed',
    'python3 -m pytest',
    () => rmSync(at('lib/python3.11/site-packages/pytest'), { recursive: true }),
  ],
  [
    'a link leads to another version',
    'runner',
    () => {
      unlinkSync(at('bin/runner'))
      symlinkSync(at('opt/runner-2'), at('bin/runner'))
      utimesSync(at('bin'), old, old)
    },
  ],
  [
    'a program is replaced in its place',
    'cd a && runner',
    () => writeFileSync(at('opt/runner-1'), '#!/bin/sh\nexit 1\n'),
  ],
  ['a program is added', 'make test', () => writeFileSync(at('bin/new'), '')],
])('%s: the check runs again', async (_what, command, change) => {
  const before = await seen(command)
  expect(await seen(command)).toEqual(before)
  change()
  expect(await seen(command)).not.toEqual(before)
})

test('a change of a program elsewhere says nothing', async () => {
  const before = await seen('runner')
  writeFileSync(at('opt/runner-2'), 'another')
  expect(await seen('runner')).toEqual(before)
})
