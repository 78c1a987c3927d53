import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../main.ts'
import { chooseWorkspacesFolder, verificationFolder } from '../workspace/workspaces-folder.ts'
import { insideBecause, isWorkspace } from './nested.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-nested-')))
afterAll(() => rmSync(home, { recursive: true }))

test('LOOPER_INSIDE counts when it is set and not empty', () => {
  expect(insideBecause({ env: { LOOPER_INSIDE: '1' }, home })).toContain('LOOPER_INSIDE')
  expect(insideBecause({ env: { LOOPER_INSIDE: 'no' }, home })).toContain('LOOPER_INSIDE')
  expect(insideBecause({ env: { LOOPER_INSIDE: '' }, home })).toBeNull()
})

test('workspaces lie under the cache folder and under .looper/worktrees', () => {
  mkdirSync(join(home, 'disk', 'looper'), { recursive: true })
  symlinkSync(join(home, 'disk'), join(home, '.cache'))
  const env = { XDG_CACHE_HOME: '/elsewhere/cache' }
  for (const folder of ['/r/.looper/worktrees/001-x/T001/src', join(home, 'disk/looper/w'), '/elsewhere/cache/looper/w']) {
    expect(isWorkspace(folder, { env, home }), folder).toBe(true)
  }
  for (const folder of ['/r', '/r/.looper', '/r/.looper/runs/001-x', join(home, 'disk'), join(home, 'disk/looper-old'), '/r/looper/src']) {
    expect(isWorkspace(folder, { env, home }), folder).toBe(false)
  }
})

test('workspaces in a configured folder are known as well', () => {
  const folder = chooseWorkspacesFolder(home, '001-add-a-flag', '/elsewhere/disk')
  for (const each of [folder, join(folder, 'T001/src'), verificationFolder(folder)]) {
    expect(isWorkspace(each, { env: {}, home: '/nobody' }), each).toBe(true)
  }
  for (const each of [dirname(folder), '/elsewhere/disk/001-add-a-flag', '/elsewhere/0123456789abcdef/src']) {
    expect(isWorkspace(each, { env: {}, home: '/nobody' }), each).toBe(false)
  }
})

test('the library refuses the same: before a change, not while it gets ready', async () => {
  const app = createApp({ cwd: home, env: { LOOPER_INSIDE: '1' }, home, packageFolder: '/nowhere', version: '1.2.3' })
  const nested = { code: 'USAGE_NESTED' }
  await expect(app.tell(null, { do: 'stop' })).rejects.toMatchObject(nested)
  await expect(app.configSet({ key: 'guard', values: ['off'], file: 'user' })).rejects.toMatchObject(nested)
  await expect(app.apply(null)).rejects.toMatchObject(nested)
  await expect(app.errand('/nowhere/socket')).rejects.toMatchObject(nested)
  await expect(app.doctor({ repair: true })).rejects.toMatchObject(nested)
  await expect(app.importTasks({ from: { kind: 'beads' }, label: null, into: null, dryRun: false })).rejects.toMatchObject(nested)
  await expect(app.formatBacklog(null, { write: true, diff: false })).rejects.toMatchObject(nested)
  await expect(app.listRuns()).rejects.not.toMatchObject(nested)
  await expect(app.formatBacklog(null, { write: false, diff: false })).rejects.not.toMatchObject(nested)
})
