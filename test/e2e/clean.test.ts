/** D10: clean removes old runs completely, and nothing that a user may still want. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Cleaning } from '../../src/views/history/cleaning.ts'
import { stepsOf, startWith } from '../kit/faults.ts'
import { follow, removeAll } from '../kit/live.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'

const quick = { review: false, checks: ['true'] }

let project: Project
afterEach(() => removeAll(project))

const at = (...path: string[]): string => join(project.root, '.looper', ...path)
const runs = (): string[] =>
  readdirSync(at('runs'))
    .filter((name) => /^\d/.test(name))
    .toSorted()
const refs = (): string[] => project.git('for-each-ref', '--format=%(refname)').split('\n')
const refsOf = (run: string): string[] => refs().filter((name) => name.includes(`/${run}`))

const clean = async (...args: string[]): Promise<Cleaning & { code: number | null }> => {
  const { code, stdout, stderr } = await project.looper('clean', '--json', ...args)
  if (stdout === '') throw new Error(stderr)
  return { code, ...(JSON.parse(stdout) as Cleaning) }
}
const run = async (goal: string, code = 0): Promise<void> => expect((await project.looper('run', goal)).code).toBe(code)

/** Each run makes files of its own; the second task fails where the goal says so. */
const failing = `
if (role === 'coder') {
  write(env.LOOPER_RUN + '.' + task, 'made')
  answer(task === 'T002' && prompt.includes('half of it') ? { status: 'blocked', blocker: { kind: 'external', reason: 'no' } } : { status: 'complete' })
} else { ${cooperative} }`

describe('D10: what is removed', () => {
  test('by what became of each run; a dry run reports exactly what a real one does', async () => {
    project = createProject({
      agent: failing,
      config: { ...quick, limits: { attempts: 1, fixCycles: 0, splitDepth: 0, goalIterations: 0 } },
    })
    for (const goal of ['applied', 'merged by hand', 'discarded', 'forgotten']) await run(goal)
    expect((await project.looper('apply', '1')).code).toBe(0)
    project.git('merge', '-q', '--no-edit', 'looper/002-merged-hand')
    expect((await project.looper('discard', '3', '--yes')).code).toBe(0)
    await run('half of it', 3)
    expect((await project.looper('abort', '5')).code).toBe(0)
    expect((await project.looper('run', 'paused', '--turns', '1')).code).toBe(3)
    mkdirSync(at('runs/000-notes'))
    writeFileSync(at('runs/000-notes/mine.txt'), 'mine')

    expect(await clean()).toMatchObject({
      removed: [],
      kept: runs()
        .slice(1)
        .map((name) => ({ run: name, why: 'it is one of the newest 10' })),
    })
    const before = refs()
    const plan = await clean('--keep', '0', '--dry-run')
    expect(plan.removed).toMatchObject([
      {
        run: '001-applied',
        status: 'completed',
        applied: true,
        discarded: false,
        branch: { name: 'looper/001-applied', removed: true, why: null },
      },
      { run: '002-merged-hand', status: 'completed', applied: true, branch: { removed: true } },
      { run: '003-discarded', status: 'completed', discarded: true, branch: null },
      {
        run: '005-half',
        status: 'aborted',
        applied: false,
        branch: { name: 'looper/005-half', removed: false, why: 'no other branch has its commits' },
      },
    ])
    expect(plan.kept).toMatchObject([
      { run: '004-forgotten', why: 'it is not applied yet' },
      { run: '006-paused', status: 'paused', why: 'it can be resumed' },
    ])
    expect(plan.removed.every(({ bytes }) => bytes > 4_096)).toBe(true)
    expect([plan.freedBytes, plan.totalBytes]).toEqual(
      [plan.removed, [...plan.removed, ...plan.kept]].map((rows) => rows.reduce((sum, { bytes }) => sum + bytes, 0)),
    )
    expect(refs()).toEqual(before)

    const done = await clean('--keep', '0', '--yes')
    expect(done).toEqual({ ...plan, dryRun: false })
    expect(runs()).toEqual(['000-notes', '004-forgotten', '006-paused'])
    expect(readlinkSync(at('runs/last'))).toBe('006-paused')
    expect(['001-applied', '002-merged-hand', '003-discarded'].flatMap(refsOf)).toEqual([])
    expect(refsOf('005-half')).toEqual(['refs/heads/looper/005-half'])
    expect(refsOf('004-forgotten').length).toBeGreaterThan(1)
    expect(existsSync(at('worktrees/005-half'))).toBe(false)
    expect(
      project
        .git('worktree', 'list')
        .split('\n')
        .filter((line) => line.includes('005')),
    ).toEqual([])
    expect(readdirSync(at('runs/000-notes'))).toEqual(['mine.txt'])

    // What is left still works, and numbers are not used again.
    expect((await project.looper('apply', '4')).code).toBe(0)
    expect((await project.looper('resume', '6', '--turns', 'none')).code).toBe(0)
    await run('after')
    expect(runs()).toContain('007-after')
    expect((await clean('--keep', '0', '--all', '--yes')).removed.map(({ run: name }) => name)).toEqual([
      '004-forgotten',
      '006-paused',
      '007-after',
    ])
    expect(runs()).toEqual(['000-notes'])
    expect(refs().filter((name) => name.includes('looper'))).toEqual([
      'refs/heads/looper/005-half',
      'refs/heads/looper/006-paused',
      'refs/heads/looper/007-after',
    ])
  })

  test("a checked-out branch stays; the branch of an in-place run is the user's", async () => {
    project = createProject({ config: quick })
    await run('applied')
    expect((await project.looper('apply')).code).toBe(0)
    project.git('worktree', 'add', '-q', '../elsewhere', 'looper/001-applied')
    expect((await project.looper('run', 'in place', '--in-place', '--parallel', '1')).code).toBe(0)
    const { removed } = await clean('--keep', '0', '--yes')
    expect(removed).toMatchObject([
      { branch: { removed: false, why: expect.stringContaining('it is checked out in') as string } },
      { run: '002-place', branch: null },
    ])
    expect(refs()).toEqual(['refs/heads/looper/001-applied', 'refs/heads/main'])
    expect(project.read('T001.txt')).toContain('T001')
    expect(existsSync(at('runs/last'))).toBe(false)
  })

  test.each([
    ['configured', (folder: string) => ({ workspace: { folder } })],
    ['configured for a run that is left', () => ({})],
  ])('workspaces of runs without a folder, where the folder for workspaces is %s', async (_, config) => {
    const folder = join(mkdtempSync(join(tmpdir(), 'looper-clean-')), 'workspaces')
    project = createProject({ config: { ...quick, workspace: { folder } } })
    expect((await project.looper('run', 'paused', '--turns', '1')).code).toBe(3)
    const [key = ''] = readdirSync(folder)
    mkdirSync(join(folder, key, '009-gone/T001'), { recursive: true })
    writeFileSync(join(folder, key, '009-gone/T001/a.txt'), 'a')
    project.configure({ ...quick, ...config(folder) })
    expect(await clean('--yes')).toMatchObject({
      removed: [{ run: '009-gone', status: 'leftover' }],
      kept: [{ run: '001-paused' }],
    })
    expect(existsSync(join(folder, key, '009-gone'))).toBe(false)
    rmSync(dirname(folder), { recursive: true })
  })

  test('--age counts from the end; --turns takes only what agents printed', async () => {
    project = createProject({ config: quick })
    await run('applied')
    expect((await project.looper('apply')).code).toBe(0)
    expect((await clean('--age', '1h', '--yes')).kept).toMatchObject([{ why: 'it is younger than 1h' }])
    expect((await clean('--age', '0h', '--dry-run')).removed).toHaveLength(1)
    const { removed, freedBytes } = await clean('--keep', '0', '--turns', '--yes')
    expect(removed).toMatchObject([{ run: '001-applied' }])
    expect(freedBytes).toBeGreaterThan(4_096)
    expect(existsSync(at('runs/001-applied/turns'))).toBe(false)
    expect((await clean('--keep', '0', '--turns', '--yes')).removed).toEqual([])
    // The journal still tells what came of each turn.
    const log = (await project.looper('logs', '--json')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type)
    expect(new Set(log)).toEqual(new Set(['summary', 'command']))
    expect((await project.status()).status).toBe('completed')
  })
})

test('D10: killed at any step, the next cleaning finishes it', async () => {
  project = createProject({ config: quick })
  await run('applied')
  expect((await project.looper('apply')).code).toBe(0)
  const saved = join(project.notes, 'saved')
  for (const part of ['.looper', '.git'])
    cpSync(join(project.root, part), join(saved, part), { recursive: true, verbatimSymlinks: true })
  const restore = (): void => {
    for (const part of ['.looper', '.git']) {
      rmSync(join(project.root, part), { recursive: true, force: true })
      cpSync(join(saved, part), join(project.root, part), { recursive: true, verbatimSymlinks: true })
    }
  }
  const cleaned = follow(startWith(project, {}, 'clean', '--keep', '0', '--yes', '--json'))
  expect((await cleaned.ended).code).toBe(0)
  const steps = stepsOf(project).length
  expect(steps).toBeGreaterThan(3)
  const kills = Array.from(
    { length: steps },
    (_, index) =>
      [
        { at: index + 1, when: 'before' },
        { at: index + 1, when: 'during' },
        { at: index + 1, when: 'after' },
      ] as const,
  ).flat()
  for (const kill of kills) {
    restore()
    await follow(startWith(project, { kill }, 'clean', '--keep', '0', '--yes', '--json')).ended
    const again = await clean('--keep', '0', '--yes')
    expect({ kill, failed: again.failed }).toEqual({ kill, failed: [] })
    expect({ kill, left: readdirSync(at('runs')).filter((name) => !/^\.(?:numbers|holders)$/.test(name)) }).toEqual({
      kill,
      left: [],
    })
    expect({ kill, refs: refs() }).toEqual({ kill, refs: ['refs/heads/main'] })
    expect(existsSync(at('worktrees/001-applied'))).toBe(false)
  }
})
