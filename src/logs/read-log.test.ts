import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { loggedRun, says, type LoggedRun } from '../../test/kit/logged-run.ts'
import { agentError, baseConfig, checkExit, invalid, limits, ok, play, type Played } from '../../test/kit/play.ts'
import { completedRun } from '../../test/kit/runs.ts'
import type { Event } from '../model/event.ts'
import { logTypes, type LogEvent } from '../model/log.ts'
import { addMs } from '../model/time.ts'
import type { TurnWork } from '../model/work.ts'

let run: LoggedRun
afterEach(() => run.remove())

const turns = ({ events }: Played): TurnWork[] =>
  events.flatMap((event) => (event.type === 'work.started' && event.work.kind === 'turn' ? [event.work] : []))

const short = (event: LogEvent): string => {
  const content =
    event.type === 'message'
      ? event.content
      : event.type === 'command'
        ? `${event.command} ${event.exitCode}`
        : event.type === 'error'
          ? event.error
          : event.type === 'summary'
            ? event.status
            : event.name
  return `${event.turn} ${event.type} ${content}`
}

describe('D8: the whole log', () => {
  test('has the five types in their documented shapes, in the order of their times', async () => {
    const played = completedRun()
    run = loggedRun(played.events, {
      'T001/a1/implement': `${says('I begin.')}${JSON.stringify({ type: 'tool_use', name: 'read', input: { path: 'a' } })}\n${JSON.stringify({ type: 'command', command: 'ls', exitCode: 2 })}\n`,
      'T002/a1/implement': `${JSON.stringify({ type: 'error', kind: 'overloaded', message: 'busy' })}\n`,
    })
    const log = await run.all()
    const coder = { run: '001-x', task: 'T001', turn: 'T001/a1/implement', role: 'coder', agent: 'a' }
    const time = expect.stringMatching(/^2026-01-01T00:00:\d\d\.000Z$/) as string
    expect(log.filter(({ turn }) => turn === coder.turn)).toEqual([
      { type: 'message', timestamp: time, content: 'I begin.', ...coder },
      { type: 'tool_use', timestamp: time, name: 'read', input: { path: 'a' }, ...coder },
      { type: 'command', timestamp: time, command: 'ls', exitCode: 2, ...coder },
      {
        type: 'summary',
        timestamp: time,
        status: 'done',
        task_id: 'T001',
        summary: expect.any(String) as string,
        new_tasks: [],
        ...coder,
      },
    ])
    expect(log).toContainEqual({
      type: 'error',
      timestamp: time,
      error: 'overloaded: busy',
      ...coder,
      task: 'T002',
      turn: 'T002/a1/implement',
    })
    expect(log).toContainEqual({
      type: 'command',
      timestamp: time,
      command: 'npm test',
      exitCode: 0,
      run: '001-x',
      task: 'T001',
      turn: expect.stringContaining('T001/a1/') as string,
      role: null,
      agent: null,
    })
    const times = log.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted())
    // Every turn has its summary.
    expect(log.filter(({ type }) => type === 'summary').map(({ turn }) => turn)).toEqual(
      turns(played).map(({ id }) => id),
    )
  })

  test('reports how things went wrong', async () => {
    const played = play(baseConfig(limits({ attempts: 1, fixCycles: 0, splitDepth: 0, goalIterations: 0 })), (work) => {
      if (work.kind === 'check') return checkExit(1)
      if (work.kind !== 'turn' || work.task !== 'T001') return undefined
      return work.errors.length > 0 ? agentError('crash') : invalid('there is no status', 'nor anything else')
    })
    run = loggedRun(played.events, {
      'T001/a1/implement.repair': `${JSON.stringify({ type: 'error', kind: 'crash', message: 'crash' })}\n`,
    })
    const told = (await run.all()).filter(({ type }) => type === 'error').map(short)
    expect(told.slice(0, 2)).toEqual([
      'T001/a1/implement error invalid answer: there is no status; nor anything else',
      'T001/a1/implement.repair error crash: crash',
    ])
    expect(told.at(-1)).toMatch(/^null error the run failed: /)
  })

  test('lost work is shown, work that was stopped on purpose is not', async () => {
    const { events } = completedRun()
    const cut = events.findIndex((event) => event.type === 'work.started' && event.work.id === 'T001/a1/implement') + 1
    const lost = (why: string): Event[] => [
      ...events.slice(0, cut),
      { type: 'work.lost', id: 'T001/a1/implement', why, seq: cut + 1, at: events[cut]!.at },
    ]
    run = loggedRun(lost('the machine went down'))
    expect((await run.all()).map(short).at(-1)).toBe('T001/a1/implement error lost: the machine went down')
    run.remove()
    run = loggedRun(lost('cancelled'))
    expect((await run.all()).filter(({ type }) => type === 'error')).toEqual([])
  })

  test('a turn that was started again has a stream of its own; a folder that was used again shows its last turn only', async () => {
    const { events } = completedRun()
    const cut = events.findIndex((event) => event.type === 'work.started' && event.work.id === 'T001/a1/implement') + 1
    const at = events[cut]!.at
    const start = events[cut - 1] as Event<'work.started'>
    const again: Event[] = [
      ...events.slice(0, cut),
      { type: 'work.lost', id: start.work.id, why: 'power', seq: cut + 1, at },
      { ...start, seq: cut + 2, at },
      { type: 'work.finished', id: start.work.id, outcome: ok({ status: 'complete' }), seq: cut + 3, at },
    ]
    run = loggedRun(again)
    run.print('T001/a1/implement', says('first'), 1)
    run.print('T001/a1/implement', says('second'), 2)
    const expected = ['message first', 'error lost: power', 'message second', 'summary done']
    expect((await run.all({ task: 'T001' })).map(short)).toEqual(expected.map((text) => `T001/a1/implement ${text}`))
    run.remove()
    const fork: Event = { type: 'run.forked', from: { run: '000-y', seq: cut }, config: baseConfig(), seq: cut + 1, at }
    run = loggedRun(
      [
        ...events.slice(0, cut),
        fork,
        { type: 'run.resumed', limits: {}, seq: cut + 2, at },
        { ...start, seq: cut + 3, at },
      ],
      { 'T001/a1/implement': says('of the fork') },
    )
    expect((await run.all({ task: 'T001' })).map(short)).toEqual(['T001/a1/implement message of the fork'])
  })

  test.each([
    [{ task: 'T002' }, (event: LogEvent) => event.task === 'T002'],
    [{ types: ['message'] as const }, (event: LogEvent) => event.type === 'message'],
    [
      { task: 'T001', types: ['summary', 'command'] as const },
      (event: LogEvent) => event.task === 'T001' && (event.type === 'summary' || event.type === 'command'),
    ],
  ])('%j is chosen from all', async (selection, matches) => {
    const played = completedRun()
    run = loggedRun(played.events, Object.fromEntries(turns(played).map(({ id }) => [id, says(`by ${id}`)])))
    const chosen = await run.all(selection)
    expect(chosen.length).toBeGreaterThan(1)
    expect(chosen).toEqual((await run.all()).filter(matches))
    expect(await run.all({ ...selection, last: 2 })).toEqual(chosen.slice(-2))
  })
})

/** Lines of an agent that prints timestamps now and then, and of one that never does. */
const timedLines = (from: string): fc.Arbitrary<string[]> =>
  fc
    .array(
      fc.tuple(
        fc.nat(1_200),
        fc.nat(5).map((n) => n === 0),
      ),
      { maxLength: 60 },
    )
    .map((marks) =>
      marks
        .toSorted(([a], [b]) => a - b)
        .map(
          ([ms, tells]) =>
            `${JSON.stringify({ type: 'message', role: 'assistant', content: `after ${ms}`, ...(tells ? { timestamp: addMs(from, ms) } : {}) })}\n`,
        ),
    )
const plainLines = fc.array(
  fc.oneof(
    fc.string({ maxLength: 30 }).map((text) => says(`. ${text}`)),
    fc.constantFrom('prose\n', '{"a":1}\n', '\n'),
  ),
  { maxLength: 60 },
)

test('D8: the last lines are the end of the whole log, wherever streams are cut', async () => {
  const { events } = play(
    baseConfig({ agents: { a: { command: ['a'] }, gemini: {} }, roles: { coder: { agent: 'gemini' } }, parallel: 2 }),
    () => undefined,
  )
  const startOf = (id: string): string =>
    events.find((event) => event.type === 'work.started' && event.work.id === id)!.at
  const timed = ['T001/a1/implement', 'T002/a1/implement'].map((id) => [id, timedLines(startOf(id))] as const)
  const streams = fc.record(
    Object.fromEntries([...timed, ['plan/r0', plainLines] as const, ['T001/a1/test0', plainLines] as const]),
  )
  const types = fc.constantFrom(null, ['message'] as const)
  await fc.assert(
    fc.asyncProperty(
      streams,
      fc.nat(40),
      fc.integer({ min: 1, max: 4_000 }),
      types,
      async (printed, count, lookBytes, types) => {
        const printing = loggedRun(
          events,
          Object.fromEntries(Object.entries(printed).map(([id, lines]) => [id, lines.join('')])),
        )
        try {
          const whole = await printing.all({ types })
          expect(await printing.all({ last: count, lookBytes, types })).toEqual(
            whole.slice(whole.length - Math.min(count, whole.length)),
          )
        } finally {
          printing.remove()
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('there are five types', () => expect(logTypes).toEqual(['message', 'tool_use', 'command', 'error', 'summary']))
