import { describe, expect, test, vi } from 'vitest'
import type { Forked } from '../../src/api/runs.ts'
import { forked, original, second, shown, threeTasks } from '../kit/forked-runs.ts'
import { projects } from '../kit/outside.ts'
import { playedOnce } from '../kit/played-once.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const ran = playedOnce(() => threeTasks(create()))

describe('looper fork (F17)', () => {
  test('anywhere: from its first event, in the middle of an attempt, from its end, and from another fork', async () => {
    const project = await ran()
    const events = project.events(original)
    const coding = events.find((event) => event.type === 'work.finished' && event.id === 'T002/a1/implement')?.seq ?? 0
    const landed =
      events.find((event) => event.type === 'work.finished' && event.id.startsWith('T002/a1/land'))?.seq ?? 0
    const start = await forked(project, '1', '--at', '1', '--agent', 'second')
    const middle = await forked(project, '1', '--at', String(coding), '--agent', 'second')
    const told = await forked(project, '1', '--at', String(landed), '--agent', 'second')
    const end = await forked(project, '1', '--at', 'last')
    const again = await forked(project, middle.run, '--at', 'last')
    expect(again).toEqual({
      run: '006-make-three-files',
      branch: 'looper/006-make-three-files',
      commit: middle.commit,
      from: { run: middle.run, seq: coding + 1 },
    })
    for (const { run } of [start, middle, told, end, again]) {
      expect(await project.looper('resume', run), run).toMatchObject({ code: 0 })
      expect(await project.looper('replay', run), run).toMatchObject({ code: 0 })
    }
    const authors = ({ run }: Forked): string[] =>
      ['T001', 'T002', 'T003'].map((task) => shown(project, run, `${task}.txt`).replace(/.* the /, ''))
    expect([start, middle, told, end, again].map(authors)).toEqual([
      ['second', 'second', 'second'],
      ['first', 'second', 'second'],
      ['first', 'first', 'second'],
      ['first', 'first', 'first'],
      ['first', 'first', 'first'],
    ])
  })

  test('E8: at a checkpoint, also at one that a rollback has left behind', async () => {
    const project = await ran()
    expect(await project.looper('rollback', '1', '--to', 'C1')).toMatchObject({ code: 0 })
    const { run } = await forked(project, '1', '--at', 'C2')
    expect((await project.status(run)).tasks.map(({ status }) => status)).toEqual(['done', 'done', 'todo'])
    expect((await project.status(original)).tasks.map(({ status }) => status)).toEqual(['done', 'todo', 'todo'])
  })

  test('a place that is not there is exit 2 with one line, and leaves nothing behind', async () => {
    const project = await ran()
    const last = project.events(original).length
    for (const [place, message] of [
      ['0', `There is no event 0 in ${original}: it has 1 to ${last}.`],
      [String(last + 1), `There is no event ${last + 1} in ${original}: it has 1 to ${last}.`],
      ['T009', `--at takes an event number, the id of a task or a checkpoint of ${original}, or last, not 'T009'`],
      ['-3', '-3'],
      ['', "not ''"],
    ] as const) {
      const { code, stdout, stderr } = await project.looper('fork', '1', `--at=${place}`)
      expect({ code, stdout, lines: stderr.split('\n').length }, place).toEqual({ code: 2, stdout: '', lines: 3 })
      expect(stderr).toContain(message)
    }
    expect(await project.looper('fork', '1', '--at', 'T002', '--agent', 'unknown')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown'),
    })
    expect(await project.looper('fork', '1', '--at', 'T002', '--in-place')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('in worktrees'),
    })
    expect(await project.looper('fork', '9', '--at', 'last')).toMatchObject({ code: 2 })
    expect(JSON.parse((await project.looper('runs', '--json')).stdout)).toHaveLength(1)
    expect(project.git('for-each-ref', 'refs/heads/looper', 'refs/looper')).not.toContain('/002-')
  })

  test('a run that worked in place, and one whose work is gone, are refused', async () => {
    const project = create({ config: { review: false, workspace: { mode: 'in-place' } } })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    project.configure({ review: false })
    expect(await project.looper('fork', '1', '--at', 'last')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('001-make-two-files worked in place: it cannot be forked.'),
    })

    const other = await ran()
    expect(await other.looper('discard', '1', '--yes')).toMatchObject({ code: 0 })
    other.git('reflog', 'expire', '--expire=now', '--all')
    other.git('gc', '--quiet', '--prune=now')
    expect(await other.looper('fork', '1', '--at', 'last')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is gone from git'),
    })
    expect(await other.looper('replay', '1', '--files')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/none differs\n\n✗ \d+ of \d+ recorded trees and commits are gone from git\n/),
    })
    expect(await forked(other, '1', '--at', 'T001')).toMatchObject({ run: second })
    expect(await other.looper('resume', second)).toMatchObject({ code: 0 })
  })
})
