import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { call, projects } from '../kit/outside.ts'
import { cooperative, type Ended, type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const quick = { review: false, limits: { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 } }

/** Two lines on stderr, what and what to do; nothing on stdout; no run begun. */
function refusal({ code, stdout, stderr }: Ended, project?: Project): string {
  expect({ code, stdout, stderr }).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^looper: .+\n {2}.+\n$/),
  })
  if (project) expect(existsSync(join(project.root, '.looper/runs'))).toBe(false)
  return stderr
}

/** Every file with its mode and content, the index and the refs included. */
function photograph(root: string): Record<string, string> {
  const seen: Record<string, string> = {}
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name)
      const facts = lstatSync(join(root, path))
      if (
        path === '.looper'
        || path === '.git/objects'
        || path === '.git/refs/heads/looper'
        || path === '.git/refs/looper'
        || path.startsWith('.git/logs/refs')
        || path === '.git/worktrees'
      )
        continue
      if (facts.isDirectory()) walk(path)
      else
        seen[path] = `${facts.mode.toString(8)} ${
          facts.isSymbolicLink()
            ? readlinkSync(join(root, path))
            : createHash('sha256')
                .update(readFileSync(join(root, path)))
                .digest('hex')
        }`
    }
  }
  walk('')
  return seen
}

describe('starting conditions', () => {
  test('a branch that blocks run branches is named, with how to rename it', async () => {
    const project = create()
    project.git('branch', 'looper')
    expect(refusal(await project.looper('run', 'make it'), project)).toContain('git branch -m looper')
  })

  test('a dirty checkout stays as it is, byte for byte and index included, and is mentioned in one line', async () => {
    const project = create({
      config: quick,
      files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'x', 'run.sh': '#!/bin/sh\n', 'to-do.json': '[]' },
    })
    project.write('a.txt', 'staged\n')
    project.git('add', 'a.txt')
    project.write('a.txt', 'staged, then changed again\r\n')
    project.write('b.txt', 'changed\n')
    project.write('new file.txt', 'untracked')
    project.write('added.txt', 'added')
    project.git('add', '-N', 'added.txt')
    project.write('to-do.json', '[1]')
    project.git('rm', '-q', 'gone.txt')
    chmodSync(join(project.root, 'run.sh'), 0o755)
    symlinkSync('b.txt', join(project.root, 'link'))
    const [before, status] = [photograph(project.root), project.git('status', '--porcelain')]
    const { code, stdout, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').filter((line) => /uncommitted|not committed/.test(line))).toHaveLength(1)
    expect(photograph(project.root)).toEqual(before)
    expect(project.git('status', '--porcelain')).toBe(status)
    expect(project.git('show', 'looper/001-make-two-files:a.txt')).toBe('a')
    expect(project.git('ls-tree', '--name-only', 'looper/001-make-two-files').split('\n')).toEqual([
      'README.md',
      'T001.txt',
      'T002.txt',
      'a.txt',
      'b.txt',
      'gone.txt',
      'run.sh',
      'to-do.json',
    ])
  })

  test('no repository, no commit, no checkout: exit 2 with the command that helps', async () => {
    const project = create()
    const home = dirname(project.root)
    const folder = (name: string): string => {
      mkdirSync(join(home, name), { recursive: true })
      return join(home, name)
    }
    const git = (cwd: string, ...args: string[]): unknown => execFileSync('git', args, { cwd, stdio: 'ignore' })
    const from = async (cwd: string): Promise<string> => refusal(await call(project, ['run', 'start here'], { cwd }))

    expect(await from(folder('plain'))).toMatch(/-C <folder>.*git init/)
    const empty = folder('empty')
    git(empty, 'init', '-q')
    expect(await from(empty)).toMatch(/git commit/)
    expect(readdirSync(empty)).toEqual(['.git'])
    git(home, 'clone', '-q', '--bare', project.root, join(home, 'bare.git'))
    expect(await from(join(home, 'bare.git'))).toMatch(/bare.*[^]*[Cc]lone/)
    expect(await from(join(project.root, '.git'))).toMatch(/\.git/)
    for (const args of [['status'], ['runs'], ['init']]) refusal(await call(project, args, { cwd: folder('plain') }))
    expect(await call(project, ['run', 'x', '-C', join(home, 'nowhere')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere'),
    })
    expect(JSON.parse((await call(project, ['doctor', '--json'], { cwd: folder('plain') })).stdout)).toContainEqual({
      check: 'repository',
      ok: false,
      detail: expect.any(String),
      hint: expect.stringContaining('git init'),
    })
  })

  test('doctor: an interpreter without its script, and a script that cannot be played, are reported with what to do', async () => {
    const project = create({ config: quick })
    const row = async (agent: object): Promise<unknown> => {
      project.configure({ agent: 'mine', agents: { mine: agent }, checks: ['true'] })
      const { code, stdout } = await project.looper('doctor', '--json')
      const rows = JSON.parse(stdout) as { check: string; ok: boolean }[]
      expect(code).toBe(rows.every(({ ok }) => ok) ? 0 : 1)
      return rows.find(({ check }) => check === 'agent mine')
    }
    const hint = expect.stringContaining('agents.mine.command') as string
    expect(await row({ command: ['node', 'agent.js'] })).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/no agent\.js in/),
      hint,
    })
    expect(await row({ acp: ['node', 'agent.js'] })).toMatchObject({
      ok: false,
      hint: expect.stringContaining('agents.mine.acp'),
    })
    expect(await row({ script: 'gone.yaml' })).toMatchObject({
      ok: false,
      detail: expect.stringContaining('gone.yaml'),
    })
    project.write('agent.js', '')
    expect(await row({ command: ['node', 'agent.js'] })).toMatchObject({ ok: true, hint: null })
  })

  test('doctor: a check whose program does not exist is reported', async () => {
    const project = create({ config: { checks: [{ name: 'unit', run: 'no-such-program --all' }, 'true'] } })
    const { code, stdout } = await project.looper('doctor', '--json')
    const rows = (JSON.parse(stdout) as { check: string }[]).filter(({ check }) => check.startsWith('check '))
    expect(rows).toMatchObject([
      {
        check: 'check unit',
        ok: false,
        detail: 'no-such-program --all: the program no-such-program is not in PATH',
        hint: expect.stringContaining('no-such-program'),
      },
    ])
    expect(code).toBe(1)
  })

  test('the hint of a broken configuration is a command that works', async () => {
    const project = create({ config: {} })
    project.write('.looper/config.json', '{ "paralel": 1 }')
    const { code, stderr } = await project.looper('config')
    expect([code, stderr]).toEqual([2, expect.stringContaining('`looper config path`')])
    expect((await project.looper('config', 'path')).code).toBe(0)
    expect((await project.looper('config', '--parallel', 'x')).stderr).not.toContain('`looper config`')
  })

  test('from a subdirectory the repository’s root is used; a detached HEAD is where it starts from', async () => {
    const project = create({
      config: quick,
      files: { 'deep/er/file.txt': 'x' },
      agent: `if (role === 'coder') note('files', fs.readdirSync('.').toSorted().join())\n${cooperative}`,
    })
    project.git('checkout', '-q', '--detach')
    expect(await call(project, ['run', 'make two files'], { cwd: join(project.root, 'deep/er') })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(readFileSync(join(project.notes, 'files'), 'utf8').split('\n')[0]).toBe('.git,README.md,deep')
    expect(existsSync(join(project.root, 'deep/er/.looper'))).toBe(false)
    expect((await call(project, ['status', '--json'], { cwd: join(project.root, 'deep') })).stdout).toContain(
      '"branch": null',
    )
    expect(project.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD')
    expect(project.git('rev-list', '--count', 'HEAD..looper/001-make-two-files')).toBe('2')
    expect(await call(project, ['apply'], { cwd: join(project.root, 'deep') })).toMatchObject({ code: 0 })
    expect(project.read('T002.txt')).toContain('T002')
  })

  test('in place refuses modified tracked files, staged or not, but nothing untracked', async () => {
    const config = { ...quick, workspace: { mode: 'in-place' } }
    const project = create({ config, files: { 'a.txt': 'a\n' } })
    project.write('mine.txt', 'untracked')
    for (const stage of [false, true]) {
      project.write('a.txt', 'changed\n')
      if (stage) project.git('add', 'a.txt')
      const stderr = refusal(await project.looper('run', 'in place'), project)
      expect(stderr).toMatch(/a\.txt[^]*(?:commit|stash)/i)
    }
    project.git('checkout', '-q', 'HEAD', '--', 'a.txt')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(project.read('mine.txt')).toBe('untracked')
    expect(project.read('T001.txt')).toContain('T001')
  })
})
