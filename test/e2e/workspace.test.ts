/**
 * Git as people really have it, and files as agents really leave them: what lands is what was made, and nothing else is
 * touched.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { listening, noted, projects, turns } from '../kit/outside.ts'
import { cooperative, type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const limits = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits }
const only = `if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'only' }] })\n`
const branch = 'looper/001-make-two-files'
const names = (project: Project, ref: string): string[] =>
  project
    .git('ls-tree', '-r', '-z', '--name-only', ref)
    .split('\0')
    .filter((name) => name !== '')

describe.concurrent('set-up and copies', () => {
  test('what set-up makes and what is copied is in every workspace and in no commit', async () => {
    const project = create({
      files: { 'tracked.txt': 'x' },
      agent: `${listening}
if (role !== 'supervisor') note('seen', role + ' ' + ['.env', 'vendor/lib.txt', 'certs/a/b.pem', 'built.txt'].map((name) => fs.existsSync(name) ? fs.readFileSync(name, 'utf8').trim() : '-').join())
${cooperative}`,
    })
    project.write('.env', 'KEY=1\n')
    project.write('certs/a/b.pem', 'pem\n')
    project.configure({
      ...quick,
      workspace: {
        copy: ['.env', 'certs', 'not-there'],
        setup: [
          'mkdir -p vendor && echo installed > vendor/lib.txt',
          'cat .env > built.txt; echo changed > tracked.txt',
        ],
      },
    })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(0)
    expect(stdout).toMatch(/setup .*mkdir/)
    expect(new Set(noted(project, 'seen'))).toEqual(
      new Set(['planner KEY=1,-,pem,-', 'coder KEY=1,installed,pem,KEY=1']),
    )
    expect(names(project, branch)).toEqual(['README.md', 'T001.txt', 'T002.txt', 'tracked.txt'])
    expect(project.git('show', `${branch}:tracked.txt`)).toBe('x')
  })

  test('set-up is discovered from the lock file', async () => {
    const lock = {
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'x', version: '1.0.0' } },
    }
    const manifest = {
      name: 'x',
      version: '1.0.0',
      scripts: { prepare: "node -e \"require('fs').writeFileSync('prepared.txt', '')\"" },
    }
    const project = create({
      config: quick,
      files: { 'package.json': JSON.stringify(manifest), 'package-lock.json': JSON.stringify(lock) },
      agent: `if (role === 'coder') note('prepared', String(fs.existsSync('prepared.txt')))\n${cooperative}`,
    })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(0)
    expect(stdout).toMatch(/setup +npm ci/)
    expect(noted(project, 'prepared')).toEqual(['true', 'true'])
    expect(names(project, branch)).toEqual(['README.md', 'T001.txt', 'T002.txt', 'package-lock.json', 'package.json'])
  })

  test('a set-up that fails: paused, exit 3, one clear line; after a fix, resume continues', async () => {
    const project = create({ agent: `${listening}${cooperative}` })
    project.configure({ ...quick, workspace: { setup: ['echo "no route to registry" >&2; exit 7'] } })
    const { code, stdout, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    expect(stdout).toMatch(/paused.*exit code 7.*no route to registry/)
    expect(turns(project).filter((turn) => !turn.startsWith('plan/'))).toEqual([])
    expect(await project.status()).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('no route to registry'),
    })
    expect(stdout).toMatch(/looper resume \S+ --settings +continues it with the new settings/)
    project.configure({ ...quick, workspace: { setup: [] } })
    expect(await project.looper('resume', '--settings')).toMatchObject({ code: 0, stderr: '' })
  })

  test('a copy that is a link out of the repository is refused', async () => {
    const project = create({ config: { ...quick, workspace: { copy: ['leak'] } } })
    execFileSync('ln', ['-s', '/etc/passwd', join(project.root, 'leak')])
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(3)
    expect(stdout).toContain('leak')
  })
})

describe.concurrent('afterwards', () => {
  test('diff, apply, apply again, discard', async () => {
    const project = create({ config: quick })
    await project.looper('run', 'make two files')
    const head = project.git('rev-parse', 'HEAD')
    expect(await project.looper('diff')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\+made by T001[^]*\+made by T002/),
    })
    project.write('mine.txt', 'uncommitted')
    expect(await project.looper('apply')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('2 files'),
    })
    expect(project.git('rev-parse', 'HEAD')).toBe(project.git('rev-parse', branch))
    expect(project.git('rev-parse', 'ORIG_HEAD')).toBe(head)
    expect(project.read('mine.txt')).toBe('uncommitted')
    const commit = project.git('rev-parse', 'HEAD')
    expect(await project.status()).toMatchObject({
      status: 'completed',
      applied: { commit, onto: 'main' },
      discardedAt: null,
    })
    expect((await project.looper('status')).stdout).toContain(`completed · applied to main at ${commit.slice(0, 8)}`)
    expect(await project.looper('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
    expect(await project.looper('discard')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect(await project.looper('discard', '--yes')).toMatchObject({ code: 0 })
    expect(project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    expect(await project.looper('status', '--json')).toMatchObject({ code: 0 })
    expect(await project.looper('diff')).toMatchObject({ code: 2, stderr: expect.stringContaining('was discarded') })
    expect(await project.looper('discard', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no branch'),
    })
    const told = project.events().slice(-3)
    expect(told).toMatchObject([
      { type: 'run.ended' },
      { type: 'run.applied', commit, onto: 'main' },
      { type: 'run.discarded', commit },
    ])
    for (const report of [(await project.looper('report')).stdout, project.read('.looper/runs/last/report.md')]) {
      expect(report).toMatch(/It was applied to main at [^]*It was discarded/)
    }
    expect(await project.looper('replay')).toMatchObject({ code: 0, stdout: expect.stringContaining('none differs') })
    expect(await project.looper('stats', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"completed": 1/),
    })
    expect(await project.looper('fork', '--at', 'last')).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'paused', applied: null, discardedAt: null })
  })

  test('a branch merged by hand counts as applied once Looper is asked', async () => {
    const project = create({ config: quick })
    await project.looper('run', 'make two files')
    project.git('checkout', '--quiet', '--detach')
    project.git('merge', '--quiet', branch)
    expect(await project.looper('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
    expect(await project.looper('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
    const commit = project.git('rev-parse', 'HEAD')
    expect(project.events().slice(-2)).toMatchObject([
      { type: 'run.ended' },
      { type: 'run.applied', commit, onto: null },
    ])
  })

  test('a run that never started can be neither taken over nor thrown away', async () => {
    const project = create({ config: quick })
    project.write('.looper/runs/001-make-two-files/inbox/.keep', '')
    for (const words of [['apply'], ['discard', '--yes']]) {
      expect(await project.looper(...words)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('never started'),
      })
    }
  })

  test('apply merges with what the user did meanwhile, and changes nothing when it cannot', async () => {
    const project = create({
      config: quick,
      files: { 'shared.txt': '1\n' },
      agent: `${only}if (role === 'coder') { write('T001.txt', 'x'); write('shared.txt', 'theirs\\n'); answer({ status: 'complete' }) }`,
    })
    await project.looper('run', 'make two files')
    project.write('T001.txt', 'the only copy')
    const inTheWay = await project.looper('apply')
    expect(inTheWay).toMatchObject({ code: 1, stderr: expect.stringContaining('T001.txt') })
    execFileSync('rm', [join(project.root, 'T001.txt')])
    project.write('shared.txt', 'dirty\n')
    expect(await project.looper('apply')).toMatchObject({ code: 1, stderr: expect.stringContaining('shared.txt') })
    expect(project.read('shared.txt')).toBe('dirty\n')
    project.git('commit', '-qam', 'ours')
    const head = project.git('rev-parse', 'HEAD')
    const conflict = await project.looper('apply')
    expect(conflict).toMatchObject({ code: 1, stderr: expect.stringMatching(/shared\.txt[^]*git merge/) })
    expect(project.git('rev-parse', 'HEAD')).toBe(head)
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
    project.git('reset', '-q', '--hard', 'HEAD~1')
    project.write('other.txt', 'x')
    project.git('add', 'other.txt')
    project.git('commit', '-qm', 'elsewhere')
    expect(await project.looper('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('merge') })
    expect(project.git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(3)
    expect([project.read('shared.txt'), project.read('other.txt')]).toEqual(['theirs\n', 'x'])
  })

  test('--apply: only a completed run is applied, and one that cannot be is exit 1', async () => {
    const failing = create({ config: { ...quick, checks: ['false'], baseline: 'off' } })
    expect(await failing.looper('run', 'make two files', '--apply')).toMatchObject({ code: 1 })
    expect(failing.git('rev-parse', 'HEAD')).toBe(failing.git('rev-parse', 'main'))
    expect(existsSync(join(failing.root, 'T001.txt'))).toBe(false)

    const applied = create({ config: quick })
    const { stdout: told } = await applied.looper('run', 'make two files', '--apply', '--json')
    expect(told === applied.read('.looper/runs/last/events.jsonl')).toBe(true)
    expect(applied.events().at(-1)).toMatchObject({ type: 'run.applied', commit: applied.git('rev-parse', 'main') })

    const blocked = create({ config: quick })
    blocked.write('T001.txt', 'mine')
    const { code, stdout } = await blocked.looper('run', 'make two files', '--apply')
    expect(code).toBe(1)
    expect(stdout).toMatch(/applied +no.*T001\.txt/)
    expect(blocked.events().at(-1)).toMatchObject({ type: 'run.ended' })
    expect(blocked.read('T001.txt')).toBe('mine')
    expect(await blocked.status()).toMatchObject({ status: 'completed' })
  })
})
