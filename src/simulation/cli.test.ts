/** The command rejects arguments that are not numbers: running no world at all must not pass as success. */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
const simulation = join(root, 'dist/simulate.js')

test.each([
  ['--seed', 'x'],
  ['--seed', '1.5'],
  ['--seed', ''],
  ['--runs', '1e2x'],
  ['--runs', '0'],
  ['--runs', '9'.repeat(20)],
])('simulate %s "%s" is refused with one line', (...args) => {
  const { status, stdout, stderr } = node(simulation, ...args)
  expect({ status, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ status: 2, stdout: '', lines: 1 })
  expect(stderr).toContain(args[0])
})

test('two worlds are lived through', () => {
  expect(node(simulation, '--seed', '0', '--runs', '2')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('2 worlds, '),
  })
})

test.each([
  ['--kills', '5OO'],
  ['--kills', '0'],
  ['--seed', 'x'],
  ['--jobs', '0'],
  ['--agent-ms', 'soon'],
])('the crash test refuses %s %s', (...args) => {
  const { status, stderr } = node('--import', './scripts/strip-types.js', 'test/crash/cli.ts', ...args)
  expect({ status, lines: stderr.trimEnd().split('\n').length }).toEqual({ status: 2, lines: 1 })
})
