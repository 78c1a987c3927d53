/**
 * The sandbox of a user who is not root, and a machine that does not let users have one. It is about the sandbox,
 * chooses it itself, and runs once: with the sandbox on.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, chmodSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { agentsOf, attacker, attacks, furnish, orphans, outcomesOf, secret } from '../kit/attacks.ts'
import { sandboxTool } from '../kit/bubblewrap.ts'
import { removeAll, survivors } from '../kit/live.ts'
import { outsideState } from '../kit/outside-state.ts'
import { createProject, type Ended, type Project } from '../kit/project.ts'

type Program = readonly [string, ...string[]]

const isRoot = process.getuid?.() === 0
const otherUser = '65534'
const asOtherUser = ['setpriv', '--reuid', otherUser, '--regid', otherUser, '--clear-groups'] as const

let project: Project
afterEach(() => removeAll(project))

/** Looper where every user can read it. */
function readableProgram(): string {
  const from = resolve(import.meta.dirname, '../..')
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'looper-program-')))
  for (const name of ['bin', 'dist', 'prompts', 'package.json']) {
    cpSync(join(from, name), join(folder, name), { recursive: true })
  }
  chmodSync(folder, 0o755)
  return join(folder, 'bin/looper.js')
}

/** The kit's words are the node program and Looper's: the second gives way to a copy. */
const startCopy = (program: string): string[] => ['sh', '-c', `node=$0; shift; exec "$node" '${program}' "$@"`]

test('a user who is not root: every attack is refused, or the machine says that it has no sandbox', async () => {
  const program = isRoot ? readableProgram() : null
  const through: Program = program === null ? [process.execPath] : [...asOtherUser, ...startCopy(program)]
  project = createProject({ agent: attacker, sandbox: 'os' })
  furnish(project)
  project.configure({ agents: agentsOf(project, { ATTACKS: JSON.stringify(attacks) }), review: false, parallel: 2 })
  const home = dirname(project.root)
  // Root's git refuses a repository of another user.
  writeFileSync(join(home, '.gitconfig'), '[safe]\n\tdirectory = *\n')
  if (isRoot) execFileSync('chown', ['-R', `${otherUser}:${otherUser}`, home])
  const before = outsideState(project)
  const ended = await project.looperThrough(through, 'run', 'make two files')
  if (program !== null) execFileSync('rm', ['-rf', resolve(program, '../..')])
  if (!worksFor(isRoot ? asOtherUser : ['env'])) {
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('does not work here') })
    return
  }
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(outcomesOf(project)).toEqual(Object.fromEntries(Object.keys(attacks).map((name) => [name, 'refused'])))
  expect(JSON.stringify(outcomesOf(project))).not.toContain(secret)
  expect(outsideState(project)).toEqual(before)
  expect([...survivors(project), ...orphans(project)]).toEqual([])
})

/** The tool must be readable by that user too. */
const worksFor = ([first, ...rest]: Program): boolean =>
  spawnSync(first, [...rest, sandboxTool().path, '--ro-bind', '/', '/', '--unshare-pid', 'true']).status === 0

/** Without capabilities, in a namespace that may have no others. */
const forbidden = 'echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set=-all --inh-caps=-all "$@"'
const without: Program = ['unshare', '-Ur', 'sh', '-c', forbidden, 'sh']

test('user namespaces are not allowed: "os" is refused, and card, status and doctor say that it is off', async () => {
  project = createProject({ sandbox: 'os' })
  const looper = (...args: string[]): Promise<Ended> => project.looperThrough(without, ...args)
  const free = (...args: string[]): Promise<Ended> =>
    project.looperThrough([...without, 'env', '-u', 'LOOPER_SANDBOX', '-u', 'LOOPER_SANDBOX_ALLOW'], ...args)
  const refused = await looper('run', 'make two files')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/"sandbox" is "os", but .* does not work here[^]*Allow user namespaces/)
  const { code, stdout } = await free('run', 'make two files', '--no-review')
  expect(code).toBe(0)
  expect(stdout).toContain('(sandbox off, it does not work here: see `looper doctor`)')
  expect(await project.status()).toMatchObject({ sandbox: 'off' })
  const rows = JSON.parse((await free('doctor', '--json')).stdout) as { check: string; detail: string; hint: string }[]
  expect(rows.find(({ check }) => check === 'sandbox')).toMatchObject({
    detail: expect.stringMatching(/^off: .* does not work here/),
    hint: expect.stringContaining('Allow user namespaces'),
  })
})
