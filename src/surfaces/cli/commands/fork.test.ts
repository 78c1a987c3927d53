import { expect, test } from 'vitest'
import { call } from '../../../../test/kit/cli.ts'
import { sampleState, sampleTask } from '../../../../test/kit/state.ts'

test('says what the new run begins with, and what to do next', async () => {
  const { code, stdout, stderr, app } = await call(['fork', '1', '--at', 'T002'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(
    [
      '001-x starts where 001-x was at event 7: 2 of 2 tasks done',
      'branch looper/002-x at cccccccccccc',
      '',
      'next',
      '  looper resume 1   continues from there',
      '  looper diff 1     shows the changes it starts with',
      '  looper discard 1  discards it',
      '',
    ].join('\n'),
  )
  expect(app?.asked.other).toEqual([['fork', '1', { at: 'T002', flags: {} }]])
})

test('one task is one task', async () => {
  const one = sampleState({ tasks: [sampleTask({ id: 'T001' })] })
  const overrides = { readRun: async () => ({ state: one, live: false, holder: null, dir: '/nowhere' }) }
  expect((await call(['fork', '--at', 'last'], { overrides })).stdout).toContain('of 1 task done\n')
})

test('--json', async () => {
  const { stdout } = await call(['fork', '--at', 'last', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    run: '001-x',
    branch: 'looper/002-x',
    commit: 'c'.repeat(40),
    from: { run: '001-x', seq: 7 },
  })
})

test('flags of the configuration are passed on, warnings are reported', async () => {
  const { app, stderr } = await call(['fork', '--at', '7', '--agent', 'other', '--fix-cycles', '1', '--no-review'], {
    warnings: ['mind the gap'],
  })
  expect(app?.asked.other).toEqual([
    ['fork', null, { at: '7', flags: { agent: 'other', 'limits.fixCycles': '1', review: false } }],
  ])
  expect(stderr).toBe('! mind the gap\n')
})

test('without --at, it starts from the current state', async () => {
  const { app } = await call(['fork', '1'])
  expect(app?.asked.other).toEqual([['fork', '1', { at: 'last', flags: {} }]])
})

test('--model is passed on', async () => {
  const { app } = await call(['fork', '--at', 'last', '--model', 'small'])
  expect(app?.asked.other).toEqual([['fork', null, { at: 'last', flags: {}, model: 'small' }]])
})

test.each([
  [['fork', '1', '--at', 'last', '--model', ' '], /--model needs the name of a model/],
  [['fork', '1', '2', '--at', '3'], /too many arguments/],
  [['fork', '7', '--at', '3'], /there is no run "7"/],
])('looper %j: exit 2', async (argv, message) => {
  const { code, stdout, stderr } = await call(argv)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
})
