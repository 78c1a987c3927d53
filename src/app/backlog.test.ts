import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aliases } from '../config/aliases.ts'
import { listBacklog } from './backlog.ts'

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
const listed = async (env: Record<string, string> = {}): Promise<string | undefined> =>
  (await listBacklog({ cwd: root, env, home: join(root, 'home'), packageFolder: root, version: '1' }, null))?.[0]?.id

it('a backlog needs no repository', async () => {
  expect(await listed()).toBe('to-do.json')
})

const others = aliases.filter(({ means }) => 'key' in means && means.key === 'backlog')

it.each<[string, string]>([
  ['file', 'backlog'],
  ['variable', 'LOOPER_BACKLOG'],
  ...others.map(({ place, name }): [string, string] => [place, name]),
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
