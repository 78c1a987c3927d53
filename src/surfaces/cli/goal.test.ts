import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { call, terminal } from '../../../test/kit/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'looper-goal-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'goal.md'), '\n# Add é\n\nline two\n')
writeFileSync(join(folder, 'empty.md'), ' \n')

const goalOf = async (argv: string[], stdin = ''): Promise<string | undefined> =>
  (await call(argv, { io: terminal({ cwd: folder, stdin }) })).app?.asked.run[0]?.goal

describe('where a goal comes from', () => {
  test.each([
    [['run', 'do it'], 'do it'],
    [['do it'], 'do it'],
    [['do it', '--parallel', '2'], 'do it'],
    [['--parallel', '2', 'do it'], 'do it'],
    [['run', 'status'], 'status'],
    [['添加认证'], '添加认证'],
    [['--', '--odd goal'], '--odd goal'],
    [['run', '--goal-file', 'goal.md'], '# Add é\n\nline two'],
    [['--goal-file', join(folder, 'goal.md')], '# Add é\n\nline two'],
    [['run', '-'], 'from stdin é'],
    [['-'], 'from stdin é'],
  ])('looper %j', async (argv, goal) => {
    expect(await goalOf(argv, 'from stdin é\n')).toBe(goal)
  })
})

describe('B11: LOOP_SPEC is the goal where no other is given', () => {
  const withSpec = async (argv: string[], spec: string): Promise<string | undefined> =>
    (await call(argv, { io: terminal({ cwd: folder, env: { LOOP_SPEC: spec } }) })).app?.asked.run[0]?.goal

  test.each([
    [['run'], 'make it fast', 'make it fast'],
    [['run'], 'goal.md', '# Add é\n\nline two'],
    [['run'], 'missing.md', 'missing.md'],
    [['run', 'mine'], 'make it fast', 'mine'],
    [['run'], '  ', ''],
  ])('looper %j with %j', async (argv, spec, goal) => {
    expect(await withSpec(argv, spec)).toBe(goal)
  })
})

describe('no usable goal: exit 2', () => {
  test.each([
    [['run', '  '], /there is no goal/],
    [['run', '-'], /there is no goal/],
    [['run', '-1'], /'-1' is not a goal/],
    [['run', '--goal-file', 'empty.md'], /there is no goal/],
    [['run', '--goal-file', 'missing.md'], /--goal-file: cannot read .*missing\.md/],
    [['run', '--goal-file', '.'], /--goal-file: cannot read/],
    [['run', 'x', '--goal-file', 'goal.md'], /cannot be used together/],
    [['run', 'x'.repeat(200_001)], /too long/],
  ])('looper %j', async (argv, message) => {
    const { code, stdout, stderr, app } = await call(argv, { io: terminal({ cwd: folder, stdin: '\n' }) })
    expect({ code, stdout, runs: app?.asked.run }).toEqual({ code: 2, stdout: '', runs: [] })
    expect(stderr).toMatch(message)
  })

  test('an endless stdin is not read to its end', async () => {
    function* endless(): Generator<string> {
      for (;;) yield 'x'.repeat(10_000)
    }
    const { code, stderr } = await call(['run', '-'], { io: terminal({ stdin: endless() }) })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('too long') as string })
  })
})
