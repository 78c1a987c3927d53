import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { call, noted, projects } from '../kit/outside.ts'
import { type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const limits = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits }
const shell = `const { execFileSync } = await import('node:child_process')\nconst sh = (line) => execFileSync('sh', ['-c', line], { encoding: 'utf8' })\n`
const branch = 'looper/001-make-two-files'
const names = (project: Project, ref: string): string[] =>
  project
    .git('ls-tree', '-r', '-z', '--name-only', ref)
    .split('\0')
    .filter((name) => name !== '')

describe.concurrent('the user’s git', () => {
  test('hooks that fail and signing that cannot work do not matter, to a run and to apply', async () => {
    const project = create({ config: { ...quick, checks: ['test ! -e hook-ran'] } })
    const log = join(project.notes, 'hooks')
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'prepare-commit-msg',
      'post-commit',
      'post-checkout',
      'pre-merge-commit',
      'post-merge',
      'reference-transaction',
      'post-index-change',
      'pre-auto-gc',
      'post-rewrite',
    ]) {
      project.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> '${log}'\nexit 1\n`)
      execFileSync('chmod', ['+x', join(project.root, '.git/hooks', hook)])
    }
    for (const [name, value] of [
      ['commit.gpgSign', 'true'],
      ['tag.gpgSign', 'true'],
      ['gpg.program', '/bin/false'],
      ['merge.ff', 'only'],
      ['core.fsmonitor', '/bin/false'],
      ['diff.external', '/bin/false'],
      ['core.pager', 'false'],
    ] as const) {
      project.git('config', name, value)
    }
    expect(await project.looper('run', 'make two files', '--apply')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^! your git hooks \(pre-commit, [^\n]+\) do not run [^\n]+\n$/),
    })
    expect(noted(project, 'hooks')).toEqual([])
    expect(project.git('log', '--format=%s%d', '-1')).toContain('HEAD -> main')
    expect(project.git('-c', 'core.fsmonitor=false', 'status', '--porcelain')).toBe('?? .looper/')
    expect(project.read('T002.txt')).toContain('T002')
    const diff = await project.looper('diff')
    expect(diff).toMatchObject({ code: 0, stdout: expect.stringContaining('+made by T002') })
  })

  test('no identity configured: commits are made all the same', async () => {
    const project = create({ config: quick })
    const bare = {
      GIT_AUTHOR_NAME: undefined,
      GIT_AUTHOR_EMAIL: undefined,
      GIT_COMMITTER_NAME: undefined,
      GIT_COMMITTER_EMAIL: undefined,
    }
    project.git('config', 'user.useConfigOnly', 'true')
    expect(await call(project, ['run', 'make two files'], { env: bare })).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('log', '--format=%an <%ae>', '-1', branch)).toMatch(/.+ <.+>/)
    const message = project.git('log', '--format=%B', '-1', branch)
    expect(message).toMatch(/^two\n\n[^]*Looper-Run: 001-make-two-files\nLooper-Task: T002\n/)
  })

  test('a submodule: its files are there, its link stays, and a commit made inside it is kept', async () => {
    const project = create({
      config: { ...quick, checks: ['test -e lib/inner.txt'] },
      agent: `${shell}
if (role === 'planner') { note('lib', fs.readFileSync('lib/inner.txt', 'utf8')); answer({ tasks: [{ id: 'T001', title: 'outer' }, { id: 'T002', title: 'inner', dependsOn: ['T001'] }] }) }
if (task === 'T001') { write('outer.txt', fs.readFileSync('lib/inner.txt', 'utf8')); answer({ status: 'complete' }) }
if (task === 'T002') { sh('cd lib && echo more >> inner.txt && git -c user.name=x -c user.email=x@x commit -qam more'); answer({ status: 'complete' }) }`,
    })
    const inner = join(dirname(project.root), 'inner')
    mkdirSync(inner)
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
        cwd: inner,
        encoding: 'utf8',
      }).trim()
    git('init', '-q')
    writeFileSync(join(inner, 'inner.txt'), 'from within\n')
    git('add', '-A')
    git('commit', '-q', '-m', 'inner')
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'lib')
    project.git('commit', '-q', '-m', 'with a submodule')
    const link = git('rev-parse', 'HEAD')
    const { code, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(noted(project, 'lib')).toEqual(['from within'])
    expect(project.git('ls-tree', `${branch}~1`, 'lib')).toContain(`160000 commit ${link}`)
    const moved = /commit ([0-9a-f]+)/.exec(project.git('ls-tree', branch, 'lib'))?.[1] ?? ''
    expect(moved).not.toBe(link)
    expect(project.git('-C', 'lib', 'cat-file', '-t', moved)).toBe('commit')
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
  })

  test('several runs at once in one repository do not disturb each other', async () => {
    const project = create({ config: { ...quick, limits: { ...limits, attempts: 3 } } })
    const goals = ['one', 'two', 'three', 'four']
    const ended = await Promise.all(goals.map((goal) => project.looper('run', goal)))
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(goals.map(() => ({ code: 0, stderr: '' })))
    const runs = JSON.parse((await project.looper('runs', '--json')).stdout) as { id: string; status: string }[]
    expect(runs.map(({ id }) => id.slice(0, 3)).toSorted()).toEqual(['001', '002', '003', '004'])
    for (const { id, status } of runs)
      expect([status, ...names(project, `looper/${id}`)]).toEqual(['completed', 'README.md', 'T001.txt', 'T002.txt'])
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })

  test.each(['an odd path', 'a linked worktree', 'a shallow clone', 'SHA-256 objects', 'a merge under way'])(
    'a repository with %s',
    async (kind) => {
      const project = create({ config: quick, files: { 'a.txt': '1\n' } })
      const where = kind === 'a merge under way' ? project.root : join(dirname(project.root), `it's "my" répo; $HOME *`)
      const git = (...args: string[]): string =>
        execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
          cwd: existsSync(where) ? where : project.root,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        }).trim()
      if (kind === 'an odd path') git('clone', '-q', project.root, where)
      if (kind === 'a linked worktree') git('worktree', 'add', '-q', '-b', 'linked', where)
      if (kind === 'a shallow clone') git('clone', '-q', '--depth', '1', `file://${project.root}`, where)
      if (kind === 'SHA-256 objects') {
        git('init', '-q', '-b', 'main', '--object-format=sha256', where)
        writeFileSync(join(where, 'README.md'), '# test')
        git('add', 'README.md')
        git('commit', '-q', '-m', 'start')
      }
      if (kind === 'a merge under way') {
        for (const [branchName, text] of [
          ['other', '2\n'],
          ['main', '3\n'],
        ] as const) {
          git('checkout', '-q', '-B', branchName, 'main')
          project.write('a.txt', text)
          git('commit', '-qam', text)
          if (branchName === 'other') git('branch', '-f', 'main', 'HEAD~1')
        }
        expect(() => git('merge', 'other')).toThrow()
      } else if (!existsSync(join(where, '.looper'))) {
        mkdirSync(join(where, '.looper'))
        writeFileSync(join(where, '.looper/config.json'), project.read('.looper/config.json'))
      }
      const before = git('status', '--porcelain')
      expect(await call(project, ['run', 'make two files'], { cwd: where })).toMatchObject({ code: 0, stderr: '' })
      expect(git('status', '--porcelain')).toBe(before)
      const applied = await call(project, ['apply'], { cwd: where })
      expect(applied).toMatchObject(
        kind === 'a merge under way'
          ? { code: 1, stderr: expect.stringContaining('MERGE_HEAD') }
          : { code: 0, stderr: '' },
      )
      expect(existsSync(join(where, 'T002.txt'))).toBe(applied.code === 0)
    },
  )

  test('a branch that is called looper is in the way, until it is renamed', async () => {
    const project = create({ config: quick })
    project.git('branch', 'looper')
    expect(await project.looper('run', 'make two files')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('git branch -m looper'),
    })
    project.git('branch', '-m', 'looper', 'mine')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  })

  test('numbers of runs whose folder is gone are not given twice, and the card reports the real one', async () => {
    const project = create({ config: quick })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    execFileSync('rm', ['-rf', join(project.root, '.looper/runs')])
    const again = await project.looper('run', 'make two files')
    expect(again.code).toBe(0)
    const { id, branch: next } = await project.status()
    expect([id, next]).toEqual(['002-make-two-files', 'looper/002-make-two-files'])
    expect(again.stdout.split('\n').filter((line) => line.includes('001-make-two-files'))).toEqual([])
    expect(names(project, branch)).toEqual(names(project, next))
  })
})
