/** Agents, checks and processes that make a check green on purpose although the tree that lands is wrong. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, vi } from 'vitest'
import { addMul, playCase, product, type HostileCase } from '../kit/hostile.ts'

vi.setConfig({ testTimeout: 600_000 })

/**
 * A program that rewrites `lib/mul.mjs` in every verification workspace until the run is over. Its arguments are the
 * home folder of the user and the file's content; a third is written in its place from time to time.
 */
const watcher = `
import fs from 'node:fs'
import path from 'node:path'
const [home, right, wrong] = process.argv.slice(2)
const list = (folder) => {
  try { return fs.readdirSync(folder).map((name) => path.join(folder, name)) } catch { return [] }
}
const isOver = () => list(home + '/repo/.looper/runs').every((run) => {
  try { return fs.readFileSync(run + '/events.jsonl', 'utf8').includes('"run.ended"') } catch { return true }
})
for (let turn = 0; !isOver(); turn++) {
  for (const key of list(home + '/.cache/looper/workspaces')) for (const run of list(key)) {
    if (!run.endsWith('.verify')) continue
    for (const seat of list(run)) for (const workspace of list(seat)) {
      const file = workspace + '/lib/mul.mjs'
      const wanted = wrong !== undefined && turn % 20 === 19 ? wrong : right
      try {
        if (fs.readFileSync(file, 'utf8') === wanted) continue
        fs.writeFileSync(seat + '/mul.mjs', wanted)
        fs.renameSync(seat + '/mul.mjs', file)
      } catch {}
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 2))
}
`
const right = 'export const mul = (a, b) => a * b\n'
const wrong = 'export const mul = (a, b) => 0\n'

/** Adds a wrong `mul` with an honest test. Starts the watcher by a shell line: `$0` is node, the rest its arguments. */
const lurk = (line: string, more: readonly string[] = []): string => `${addMul()}
write('lib/mul.mjs', ${JSON.stringify(wrong)})
write(env.NOTES + '/watch.mjs', ${JSON.stringify(watcher)})
spawn('sh', ['-c', ${JSON.stringify(line)}, process.execPath, env.NOTES + '/watch.mjs', home, ${JSON.stringify(right)}
  ${more.map((word) => `, ${JSON.stringify(word)}`).join('')}], { detached: true, stdio: 'ignore', cwd: '/' }).unref()
await sleep(300)`

/** A test that is red until it finds a file that it wrote before. `path` is an expression in the test. */
const redOnce = (path: string): string => `write('test/again.mjs', ${JSON.stringify(`
import fs from 'node:fs'
import os from 'node:os'
import { dirname } from 'node:path'
const file = ${path}
if (!fs.existsSync(file)) {
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(file, '')
  throw new Error('first')
}
`)})
write('x' + (fixing ? 2 : 1), 'x')`

/** With the sandbox off nothing else than Looper's own care keeps the file from being found. */
const folders =
  (...names: string[]): HostileCase['before'] =>
  ({ root }) => {
    for (const name of names) mkdirSync(join(dirname(root), name), { recursive: true })
  }

/** Starts the watcher from the check itself, then fails for as long as `mul` is wrong. */
const daemonOfCheck = `
import assert from 'node:assert'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
const home = fs.readFileSync('home.txt', 'utf8')
const line = ['env', '-i', process.execPath, process.cwd() + '/watch.mjs', home, ${JSON.stringify(right)}]
spawn('setsid', line, { detached: true, stdio: 'ignore', cwd: '/' }).unref()
await new Promise((resolve) => setTimeout(resolve, 300))
const { mul } = await import('../lib/mul.mjs')
assert.equal(mul(2, 3), 6)
`

const format = `import fs from 'node:fs'
for (const name of fs.readdirSync('lib')) {
  fs.writeFileSync('lib/' + name, fs.readFileSync('lib/' + name, 'utf8').replace(/ +\\n/g, '\\n'))
}
`

const cases: HostileCase[] = [
  {
    name: 'a daemon without environment, parent and folder that writes into verification workspaces',
    expected: 'failed',
    coder: lurk('exec setsid env -i "$0" "$@"'),
  },
  {
    name: 'the same, after two forks',
    expected: 'failed',
    coder: lurk('(env -i nohup setsid "$0" "$@" > /dev/null 2>&1 &) &'),
  },
  {
    name: 'the same, started by the check',
    expected: 'failed',
    coder: `write('lib/mul.mjs', ${JSON.stringify(wrong)}); write('home.txt', home)
write('watch.mjs', ${JSON.stringify(watcher)}); write('test/mul.mjs', ${JSON.stringify(daemonOfCheck)})
if (fixing) write('x', 'x')`,
  },
  {
    name: 'a process that nothing ends, which writes into verification workspaces',
    expected: 'failed',
    coder: lurk('ulimit -f 1000000000; exec setsid env -i "$0" "$@"'),
  },
  {
    name: 'the same, which puts the file back at times',
    expected: 'failed',
    coder: lurk('ulimit -f 1000000000; exec setsid env -i "$0" "$@"', [wrong]),
  },
  { name: 'a check with state in the home folder', expected: 'failed', coder: redOnce(`process.env.HOME + '/.seen'`) },
  {
    name: 'a check with state in a folder of the home folder',
    expected: 'failed',
    coder: redOnce(`process.env.HOME + '/.tool/seen'`),
  },
  {
    name: 'a check with state among settings',
    expected: 'failed',
    before: folders('.config/tool'),
    coder: redOnce(`process.env.HOME + '/.config/seen'`),
  },
  {
    name: 'a check with state where programs keep it',
    expected: 'failed',
    before: folders('.local/state', '.local/share'),
    coder: redOnce(`(process.env.XDG_STATE_HOME ?? process.env.HOME + '/.local/state') + '/tool/seen'`),
  },
  {
    name: 'a check with state among temporary files',
    expected: 'failed',
    coder: redOnce(`os.tmpdir() + '/looper-seen'`),
  },
  {
    name: 'a set-up command with state among temporary files',
    expected: 'failed',
    files: { ...product, 'setup.mjs': '' },
    setup: ['node setup.mjs'],
    coder: redOnce(`os.tmpdir() + '/looper-seen'`).replace('test/again.mjs', 'setup.mjs'),
  },
  {
    name: 'a check that formats the tree',
    expected: 'completed',
    checks: ['node format.mjs && node check.mjs'],
    files: { ...product, 'format.mjs': format },
    coder: `${addMul()}\nwrite('lib/loose.mjs', 'export const loose = 1   \\n')`,
  },
  {
    name: 'a check that writes the time into a file of the tree',
    expected: 'completed',
    coder: `${addMul()}
write('built.txt', 'never')
write('test/built.mjs', [
  "import fs from 'node:fs'", "fs.writeFileSync('built.txt', String(process.hrtime.bigint()))", '',
].join('\\n'))`,
  },
]

test.each(cases)('$name', async (hostile) => void (await playCase(hostile)))
