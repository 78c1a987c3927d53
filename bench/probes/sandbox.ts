/** Prints, as JSON, what starting a program costs with and without the sandbox: pairs of times in milliseconds. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../../src/platform/sandbox/sandbox.ts'
import { sandboxTool } from '../../test/kit/bubblewrap.ts'

const [folder = '', times = '50'] = process.argv.slice(2)

const home = join(folder, 'home')
const [checkout, workspace] = [join(home, 'project'), join(home, '.cache/looper/w1')]
const folders = [join(checkout, '.git/objects'), join(checkout, '.looper/runs/001'), workspace]
for (const each of folders) mkdirSync(each, { recursive: true })
const git = { gitDir: join(checkout, '.git'), commonDir: join(checkout, '.git') }
const sandbox = createSandbox({
  tool: sandboxTool(),
  home,
  env: process.env,
  checkout,
  inPlace: false,
  git,
  runDir: join(checkout, '.looper/runs/001'),
  workspaces: [join(home, '.cache/looper')],
  hidden: [],
  readable: [],
  allow: [],
})

const timed = (start: () => number | null): number => {
  const begun = performance.now()
  if (start() !== 0) throw new Error('the program failed')
  return performance.now() - begun
}
const plain = (): number | null => spawnSync('/bin/true', { cwd: workspace }).status
const confined = (): number | null => {
  const request = { argv: ['/bin/true'] as const, cwd: workspace, env: { PATH: process.env['PATH'] } }
  const {
    argv: [program, ...args],
    env,
  } = sandbox.wrap(request)
  return spawnSync(program, args, { cwd: workspace, env }).status
}
for (const start of [plain, confined]) start()
const pairs = Array.from({ length: Number(times) }, () => ({ plain: timed(plain), confined: timed(confined) }))
console.log(JSON.stringify(pairs))
