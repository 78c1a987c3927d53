import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp, createHost } from '../main.ts'
import { chooseWorkspacesFolder, verificationFolder } from '../workspace/workspaces-folder.ts'
import { insideBecause, isWorkspace } from './nested.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-nested-')))
afterAll(() => rmSync(home, { recursive: true }))

test('LOOPER_INSIDE counts when it is set and not empty', () => {
  expect(insideBecause({ env: { LOOPER_INSIDE: '1' }, home })).toContain('LOOPER_INSIDE')
  expect(insideBecause({ env: { LOOPER_INSIDE: 'no' }, home })).toContain('LOOPER_INSIDE')
  expect(insideBecause({ env: { LOOPER_INSIDE: '' }, home })).toBeNull()
})

describe.runIf(process.platform === 'linux')('a process without LOOPER_INSIDE', () => {
  const root = resolve(import.meta.dirname, '../..')
  const program = join(home, 'ask.mjs')
  writeFileSync(
    program,
    `import { insideBecause } from ${JSON.stringify(join(import.meta.dirname, 'nested.ts'))}
console.log(insideBecause({ env: process.env, home: '/unknown' }))
`,
  )
  const [ask, outer] = [join(home, 'ask'), join(home, 'outer')]
  writeFileSync(ask, `'${process.execPath}' --import '${join(root, 'scripts/strip-types.js')}' '${program}'; true\n`)
  // Only the outer shell has the variables that the test sets: the inner shell and the program start with an empty
  // environment.
  writeFileSync(outer, `echo $$; env -i /bin/sh '${ask}'; true\n`)
  const said = (more: Record<string, string>): string[] => {
    const env = { PATH: process.env['PATH'] ?? '', ...more }
    return execFileSync('/bin/sh', [outer], { cwd: root, env, encoding: 'utf8' }).trim().split('\n')
  }

  test('belongs to the run that started one of its ancestors', () => {
    const [ancestor, why] = said({ LOOPER_MARK: 'k:T001:1' })
    expect(why).toBe(`process ${ancestor}, which it descends from, was started by a run`)
  })

  test('belongs to none when no ancestor was started by one', () => {
    expect(said({ NO_LOOPER_MARK: 'k:T001:1' })[1]).toBe('null')
  })
})

test('workspaces lie under the cache folder and under .looper/worktrees', () => {
  mkdirSync(join(home, 'disk', 'looper'), { recursive: true })
  symlinkSync(join(home, 'disk'), join(home, '.cache'))
  const env = { XDG_CACHE_HOME: '/elsewhere/cache' }
  for (const folder of [
    '/r/.looper/worktrees/001-x/T001/src',
    join(home, 'disk/looper/w'),
    '/elsewhere/cache/looper/w',
  ]) {
    expect(isWorkspace(folder, { env, home }), folder).toBe(true)
  }
  for (const folder of [
    '/r',
    '/r/.looper',
    '/r/.looper/runs/001-x',
    join(home, 'disk'),
    join(home, 'disk/looper-old'),
    '/r/looper/src',
  ]) {
    expect(isWorkspace(folder, { env, home }), folder).toBe(false)
  }
})

test('workspaces in a configured folder are known as well', () => {
  const folder = chooseWorkspacesFolder(home, '001-add-a-flag', '/elsewhere/disk')
  for (const each of [folder, join(folder, 'T001/src'), verificationFolder(folder)]) {
    expect(isWorkspace(each, { env: {}, home: '/unknown' }), each).toBe(true)
  }
  for (const each of [dirname(folder), '/elsewhere/disk/001-add-a-flag', '/elsewhere/0123456789abcdef/src']) {
    expect(isWorkspace(each, { env: {}, home: '/unknown' }), each).toBe(false)
  }
})

test('the library refuses the same: before a change, not while it gets ready', async () => {
  const machine = { env: { LOOPER_INSIDE: '1' }, home, packageFolder: '/nowhere', version: '1.2.3' }
  const app = createApp(machine).at(home)
  const nested = { code: 'USAGE_NESTED' }
  await expect(app.sendOrder(null, { do: 'stop' })).rejects.toMatchObject(nested)
  await expect(app.configSet({ key: 'guard', values: ['off'], file: 'user' })).rejects.toMatchObject(nested)
  await expect(app.apply(null)).rejects.toMatchObject(nested)
  await expect(createHost(machine).takeJob('/nowhere/socket')).rejects.toMatchObject(nested)
  await expect(app.doctor({ repair: true })).rejects.toMatchObject(nested)
  await expect(
    app.importTasks({ from: { kind: 'beads' }, label: null, into: null, dryRun: false }),
  ).rejects.toMatchObject(nested)
  await expect(app.formatBacklog(null, { write: true, diff: false })).rejects.toMatchObject(nested)
  await expect(app.listRuns()).rejects.not.toMatchObject(nested)
  await expect(app.formatBacklog(null, { write: false, diff: false })).rejects.not.toMatchObject(nested)
})
