import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Cleaning } from '../../src/views/history/cleaning.ts'
import { follow, held, killHard, noting, removeAll, survivors, until } from '../kit/live.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'

const quick = { review: false, checks: ['true'] }

let project: Project
afterEach(() => removeAll(project))

const at = (...path: string[]): string => join(project.root, '.looper', ...path)
const runs = (): string[] =>
  readdirSync(at('runs'))
    .filter((name) => /^\d/.test(name))
    .toSorted()

const clean = async (...args: string[]): Promise<Cleaning & { code: number | null }> => {
  const { code, stdout, stderr } = await project.looper('clean', '--json', ...args)
  if (stdout === '') throw new Error(stderr)
  return { code, ...(JSON.parse(stdout) as Cleaning) }
}
const run = async (goal: string, code = 0): Promise<void> => expect((await project.looper('run', goal)).code).toBe(code)

describe('D10: what is never removed', () => {
  test('a live run; one that was killed goes only when asked for, and then its agents end', async () => {
    project = createProject({
      agent: `${noting}\nif (role === 'coder') await hold('coder')\n${cooperative}`,
      config: quick,
    })
    const looper = follow(project.start('run', 'go on'))
    await held(project, 'coder')
    for (const more of [[], ['--all'], ['--turns', '--all']]) {
      expect(await clean('--keep', '0', '--yes', ...more)).toMatchObject({
        removed: [],
        kept: [{ status: 'running', why: 'it is under way' }],
      })
    }
    await killHard(looper)
    expect(survivors(project)).toHaveLength(1)
    expect(await clean('--keep', '0', '--yes')).toMatchObject({
      removed: [],
      kept: [{ status: 'crashed', why: 'it can be resumed' }],
    })
    expect(await clean('--keep', '0', '--yes', '--turns', '--all')).toMatchObject({
      removed: [],
      kept: [{ status: 'crashed', why: 'it can be resumed' }],
    })
    const orphans = survivors(project)
    expect(orphans).toHaveLength(1)
    expect(await clean('--keep', '0', '--yes', '--all')).toMatchObject({
      code: 0,
      removed: [{ run: '001-go', status: 'crashed' }],
      failed: [],
    })
    expect(runs()).toEqual([])
    expect(existsSync(at('worktrees/001-go'))).toBe(false)
    const pid = Number(orphans[0]?.split(' ')[0])
    await until('the end of the agent', () => !existsSync(`/proc/${pid}`))
  })

  test('folders that only look like a run, and targets of links', async () => {
    project = createProject({ config: quick })
    await run('applied')
    expect((await project.looper('apply')).code).toBe(0)
    const outside = join(project.notes, 'outside')
    mkdirSync(join(outside, 'deep'), { recursive: true })
    writeFileSync(join(outside, 'deep/precious'), 'mine')
    cpSync(at('runs/001-applied'), join(outside, 'run'), { recursive: true })
    symlinkSync(join(outside, 'run'), at('runs/000-linked'))
    symlinkSync(outside, at('runs/001-applied/turns/link'))
    symlinkSync(outside, at('runs/.removing-003-x'))
    mkdirSync(at('runs/.removing-mine'))
    mkdirSync(at('runs/002-only-a-name/inbox'), { recursive: true })
    mkdirSync(at('worktrees'), { recursive: true })
    rmSync(at('worktrees/001-applied'), { recursive: true, force: true })
    symlinkSync(outside, at('worktrees/001-applied'))
    const { removed, kept } = await clean('--keep', '0', '--all', '--yes')
    expect({ removed: removed.map(({ run: name }) => name), kept }).toEqual({ removed: ['001-applied'], kept: [] })
    expect(runs()).toEqual(['000-linked', '002-only-a-name'])
    expect(lstatSync(at('runs/000-linked')).isSymbolicLink()).toBe(true)
    expect(existsSync(at('runs/.removing-mine'))).toBe(true)
    expect(existsSync(join(outside, 'deep/precious'))).toBe(true)
    expect(existsSync(join(outside, 'run/events.jsonl'))).toBe(true)
  })

  test('a damaged journal is no reason to lose a run', async () => {
    project = createProject({ config: quick })
    await run('damaged')
    rmSync(at('runs/001-damaged/state.json'), { force: true })
    writeFileSync(at('runs/001-damaged/events.jsonl'), 'rubbish\nrubbish\n')
    expect(await clean('--keep', '0', '--yes')).toMatchObject({
      removed: [],
      kept: [{ status: 'unreadable', why: expect.stringContaining('cannot be read') as string }],
    })
    expect(await clean('--keep', '0', '--yes', '--all')).toMatchObject({
      removed: [{ status: 'unreadable', branch: { removed: false } }],
    })
    expect(runs()).toEqual([])
  })
})
