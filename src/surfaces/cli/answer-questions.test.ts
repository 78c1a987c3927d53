import { expect, test } from 'vitest'
import { call, terminal } from '../../../test/kit/cli.ts'
import { baseConfig, coded, play, planOf, type Played } from '../../../test/kit/play.ts'

const question = (text: string, options: string[] = []) => ({ text, options, default: null, blocks: [] })

/** A run whose coder asks two questions and goes no further. */
const waiting = (): Played =>
  play(baseConfig({ review: false }), (work) => {
    if (work.kind !== 'turn') return undefined
    if (work.role === 'planner') return planOf([{ id: 'T001' }])
    return coded({
      status: 'needs_clarification',
      questions: [question('Which color?', ['blue', 'red']), question('How many?')],
    })
  })
const answering = (stdin: string, { tty = true, args = [] as string[], env = {} } = {}) =>
  call(['run', 'do it', ...args], { played: waiting(), io: terminal({ tty, stdin, env }) })
const answer = (id: string, text: string) => ({ run: '001-x', order: { do: 'answer', question: id, answer: text } })

test('on a terminal a person answers what a run waits for, and it goes on', async () => {
  const { stderr, app } = await answering('blue\n3\n')
  expect(stderr).toContain('\n? Q1 Which color? (blue | red)\nYour answer to Q1, or Enter to answer later: ')
  expect(app?.asked.told).toEqual([answer('Q1', 'blue'), answer('Q2', '3')])
  expect(app?.asked.resume).toEqual([{ run: '001-x', limits: {}, apply: false }])
})

test.each(['blue\n\n', 'blue\n'])('an empty answer leaves the rest open, and the run paused: %j', async (stdin) => {
  const { code, app } = await answering(stdin)
  expect(app?.asked.told).toEqual([answer('Q1', 'blue')])
  expect([code, app?.asked.resume]).toEqual([3, []])
})

test.each([{ tty: false }, { args: ['--quiet'] }, { args: ['--json'] }, { env: { CI: '1' } }])(
  'nothing is asked where no person reads: %j',
  async (where) => {
    const { code, stderr, app } = await answering('blue\n3\n', where)
    expect(stderr).not.toContain('Your answer')
    expect([code, app?.asked.told, app?.asked.resume]).toEqual([3, [], []])
  },
)
