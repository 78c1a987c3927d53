import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aliases } from '../../config/aliases.ts'
import type { AppContext } from '../context.ts'
import { listBacklog, validateBacklog } from './backlog.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-app-'))
  for (const name of ['to-do.json', 'other.json']) write(name, { tasks: [{ id: name, title: 'x' }] })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (name: string, value: unknown): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), JSON.stringify(value))
}
const context = (env: Record<string, string> = {}): AppContext => ({
  cwd: root,
  env,
  home: join(root, 'home'),
  packageFolder: root,
  version: '1',
})
const listed = async (env: Record<string, string> = {}): Promise<string | undefined> =>
  (await listBacklog(context(env), null))?.[0]?.id

test('a backlog needs no repository', async () => {
  expect(await listed()).toBe('to-do.json')
})

const others = aliases.filter(({ means }) => 'key' in means && means.key === 'backlog')

test.each<[string, string]>([
  ['file', 'backlog'],
  ['variable', 'LOOPER_BACKLOG'],
  ...others.map(({ origin, name }): [string, string] => [origin, name]),
])('D6: a %s that sets %s is not overlooked', async (place, name) => {
  if (place === 'variable') expect(await listed({ [name]: 'other.json' })).toBe('other.json')
  else {
    for (const file of ['.looper/config.json', 'home/.config/looper/config.json']) {
      write(file, { [name]: 'other.json' })
      expect(await listed()).toBe('other.json')
      rmSync(join(root, file))
    }
  }
})

test.each<[string, unknown, string | null]>([
  ['configured', { checks: [{ name: 'test', run: 'npm test' }] }, 'there are test'],
  ['switched off', { checks: [] }, 'there are no checks'],
  ['not known, because the configuration is invalid', { checks: 7 }, null],
])('warns of a check to repair that does not exist, with checks that are %s', async (_name, config, known) => {
  write('.looper/config.json', config)
  write('to-do.json', { tasks: [{ id: 'T1', title: 'x', repairs: ['tset'] }] })
  const { problems, warnings } = await validateBacklog(context(), null)
  expect(problems).toEqual([])
  const message = `tasks[0].repairs[0] names no check: "tset"; ${known}`
  expect(warnings).toMatchObject(known === null ? [] : [{ kind: 'unknown-check', line: 1, message }])
})

test('does not warn of a check that exists', async () => {
  write('package.json', { scripts: { test: 'node --test' } })
  write('to-do.json', { tasks: [{ id: 'T1', title: 'x', repairs: ['test'] }] })
  expect((await validateBacklog(context(), null)).warnings).toEqual([])
})
