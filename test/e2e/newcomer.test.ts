/** What a person meets in the first hour, said in plain words. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { call, projects } from '../kit/outside.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
const create = projects()
const quick = {
  review: false,
  limits: { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0, planRevisions: 0 },
}

test('diff and apply of a discarded run say that it was discarded', async () => {
  const project = create({ config: quick })
  expect((await project.looper('run', 'make two files')).code).toBe(0)
  expect((await project.looper('discard', '--yes')).code).toBe(0)
  for (const command of ['diff', 'apply']) {
    const { code, stdout, stderr } = await project.looper(command)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^looper: 001-make-two-files was discarded \(.+ UTC\): its changes are gone\.\n {2}`looper report 1` shows what it did\./,
    )
  }
})

test('init in a repository without a commit writes its file, and says what a run needs', async () => {
  const project = create()
  const folder = join(dirname(project.root), 'fresh')
  mkdirSync(folder)
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const { code, stdout, stderr } = await call(project, ['init'], { cwd: folder })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'looper: This repository has no commit yet.\n  Runs start from a commit: git add -A && git commit --allow-empty -m "Start"\n',
  })
  expect(stdout).toContain('.looper/config.json written')
  expect(existsSync(join(folder, '.looper/config.json'))).toBe(true)
})

test('settings that are discovered are shown by config get, and doctor names a script that is missing', async () => {
  const project = create({ files: { 'package.json': '{ "scripts": { "test": "node --test" } }' } })
  project.write('.looper/config.json', '{}')
  const get = async (key: string) =>
    JSON.parse((await project.looper('config', 'get', key, '--json')).stdout) as unknown
  expect(await get('checks')).toEqual([{ name: 'test', run: 'npm test' }])
  expect(await get('workspace.setup')).toEqual(expect.any(Array))
  project.write('.looper/config.json', '{ "checks": ["npm run lint"], "workspace": { "setup": [] } }')
  expect(await get('workspace.setup')).toEqual([])
  const { stdout } = await project.looper('doctor')
  expect(stdout).toContain('npm run lint: package.json has no script "lint"')
  expect(stdout).toMatch(/✓ config +the project file is valid\n/)
  const plain = await call(create(), ['doctor'], { cwd: dirname(project.root) })
  expect(plain.stdout).toMatch(/✓ config +no file: the defaults apply\n/)
})

test('an agent that prints garbage: in words, with its output and the guide', async () => {
  const project = create({ config: quick, agent: `process.stdout.write('hello, I am not JSON\\n')` })
  const { code, stdout } = await project.looper('run', 'make two files')
  expect(code).toBe(1)
  expect(stdout).not.toMatch(/bad_response|crash:/)
  expect(stdout).toMatch(/\nstate +failed · no plan: the agent (?:gave no usable answer|ended without an answer): /)
  expect(stdout).toContain('What an agent must answer is in docs/guides/command-agents.md of Looper.')
  expect(stdout).toMatch(/\n {2}looper logs 1 +shows what the agent printed\n/)
})

test('without evidence, a goal is judged met and not verified', async () => {
  const project = create({ config: { checks: [] } })
  const { code, stdout } = await project.looper('run', 'make two files')
  expect(code).toBe(0)
  expect(stdout).toContain('goal judged met, unverified')
  expect(stdout).not.toContain('goal verified')
  expect(stdout).toContain('completed · unverified')
})
