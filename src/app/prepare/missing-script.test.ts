import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProgramSearch } from './locate-agent.ts'
import { missingScript } from './missing-script.ts'

let search: ProgramSearch
beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'looper-script-'))
  mkdirSync(join(root, 'folder.js'))
  writeFileSync(join(root, 'agent.js'), '')
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(root, 'bin', 'installed.sh'), '')
  chmodSync(join(root, 'bin', 'installed.sh'), 0o755)
  search = { root, path: join(root, 'bin'), isTracked: (path) => Promise.resolve(path === 'tracked.js') }
})
afterAll(() => rmSync(search.root, { recursive: true, force: true }))

test.each([
  [['node', 'gone.js'], 'gone.js'],
  [['/usr/bin/python3.12', '-u', 'gone.py', 'agent.js'], 'gone.py'],
  [['node', '--enable-source-maps', './gone'], './gone'],
  [['bun', 'run', 'gone.ts'], 'gone.ts'],
  [['sh', '/nowhere/at/all.sh'], '/nowhere/at/all.sh'],
  [['node', 'folder.js'], 'folder.js'],
  [['python3', 'gone'], 'gone'],
  [['/usr/bin/env', 'A=1', 'python3', 'gone.py'], 'gone.py'],
  [['npx', '-y', 'tsx', 'gone.ts'], 'gone.ts'],
  [['uv', 'run', 'python', 'gone.py'], 'gone.py'],
  [['python3', 'installed.sh'], 'installed.sh'],
])('%j: %s is missing', async (command, script) => expect(await missingScript(command, search)).toBe(script))

test.each([
  [['node', 'agent.js']],
  [['node', './agent.js', 'gone.js']],
  // Tracked by git, so a worktree contains it even when the checkout does not.
  [['node', 'tracked.js']],
  [['node', '-e', 'import("./gone.js")']],
  [['bash', '-lc', 'exec ./gone.sh']],
  [['python3', '-m', 'gone.py']],
  [['node', '--eval=1', 'gone.js']],
  [['node']],
  [['python3', '-W', 'ignore', 'agent.js']],
  [['env', 'node', 'agent.js']],
  [['npx', 'my-agent', 'gone.js']],
  [['bun', 'run', 'start']],
  // A shell searches the PATH, too.
  [['bash', 'installed.sh']],
  // The arguments of an unknown program are not checked.
  [['my-agent', 'gone.js']],
])('%j: nothing is missing', async (command) => expect(await missingScript(command, search)).toBeNull())
