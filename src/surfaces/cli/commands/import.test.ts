import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/kit/cli.ts'

describe('looper import (D2)', () => {
  test.each([
    [['plan.md'], { from: { kind: 'path', path: 'plan.md' }, label: null, into: null, dryRun: false }],
    [
      ['--beads', '--label', 'loop/auth', '--dry-run'],
      { from: { kind: 'beads' }, label: 'loop/auth', into: null, dryRun: true },
    ],
    [['--claude'], { from: { kind: 'claude', list: null }, label: null, into: null, dryRun: false }],
    [
      ['--claude', 'my-loop', '--into', 'x.json'],
      { from: { kind: 'claude', list: 'my-loop' }, label: null, into: 'x.json', dryRun: false },
    ],
  ])('%j', async (args, request) => {
    const { code, app } = await call(['import', ...args])
    expect([code, app?.asked.other]).toEqual([0, [['import', request]]])
  })

  test('prints the result', async () => {
    const { stdout } = await call(['import', 'plan.md'])
    expect(stdout.split('\n')).toEqual([
      'path (plan) → to-do.json: 1 added, 0 closed, 1 already there',
      '  + T001  todo  Add login',
      '  note scores are not carried over',
      '',
      'next',
      '  looper ls                      lists the tasks',
      '  looper run --workflow backlog  works through them',
      '',
    ])
    expect((await call(['import', 'plan.md', '--into', 'a b.json'])).stdout).toContain(
      "  looper run --workflow backlog --backlog 'a b.json'  works",
    )
    expect((await call(['import', 'plan.md', '--dry-run'])).stdout).toContain(
      '1 added, 0 closed, 1 already there (dry run: nothing written)\n',
    )
    expect((await call(['import', 'plan.md', '--dry-run'])).stdout).not.toContain('next')
    expect(JSON.parse((await call(['import', 'plan.md', '--json'])).stdout)).toEqual({
      source: 'path',
      format: 'plan',
      file: 'to-do.json',
      dryRun: false,
      added: [{ id: 'T001', title: 'Add login', status: 'todo' }],
      closed: [],
      unchanged: ['T002'],
      notes: ['scores are not carried over'],
    })
  })

  test('shows no more than a screenful, and nothing that a terminal would obey', async () => {
    const added = Array.from({ length: 30 }, (_, n) => ({
      id: `T${n}`,
      title: `\u001B[31mTask\n${n}`,
      status: 'todo' as const,
    }))
    const overrides = {
      importTasks: async () => ({
        source: '\u001B]0;x\u0007plan',
        format: 'plan',
        file: 'to-do.json',
        dryRun: false,
        added,
        closed: [],
        unchanged: [],
        notes: ['a\u001B[2Jb'],
      }),
    }
    const { stdout } = await call(['import', 'plan.md'], { overrides })
    expect(stdout).not.toContain('\u001B')
    expect(stdout.split('\n')).toHaveLength(28)
    expect(stdout).toContain('… and 10 more')
  })

  test.each([
    [[], 'nothing to import was named'],
    [['plan.md', '--beads'], 'cannot be combined'],
    [['--beads', '--claude'], 'cannot be combined'],
  ])('%j is refused', async (args, why) => {
    const { code, stderr } = await call(['import', ...args])
    expect(code).toBe(2)
    expect(stderr).toContain(why)
  })
})
