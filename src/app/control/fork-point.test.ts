import { expect, test } from 'vitest'
import { completedRun } from '../../../test/kit/runs.ts'
import { forkPoint } from './fork-point.ts'

const { events } = completedRun()
const startOf = (task: string): number =>
  events.find((event) => event.type === 'task.started' && event.task === task)?.seq ?? 0

test.each([
  ['1', 1],
  [String(events.length), events.length],
  ['007', 7],
  ['last', events.length],
  ['T001', startOf('T001') - 1],
  ['T002', startOf('T002') - 1],
])('--at %s', (point, seq) => {
  expect(forkPoint('001-x', events, point)).toBe(seq)
})

test.each([
  ['0', 'USAGE_ARGUMENTS', 'There is no event 0'],
  [String(events.length + 1), 'USAGE_ARGUMENTS', `it has 1 to ${events.length}.`],
  ['99999999999999999999', 'USAGE_ARGUMENTS', 'There is no event'],
  ['1.5', 'USAGE_ARGUMENTS', "not '1.5'"],
  ['-1', 'USAGE_ARGUMENTS', "not '-1'"],
  ['T009', 'USAGE_ARGUMENTS', '--at takes an event number, the id of a task or a checkpoint of 001-x, or last'],
  ['LAST', 'USAGE_ARGUMENTS', 'or last'],
])('--at %s is refused', (point, code, message) => {
  expect(() => forkPoint('001-x', events, point)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) as string }) as Error,
  )
})

test('a task that never started', () => {
  const waiting = events.slice(0, startOf('T001'))
  expect(() => forkPoint('001-x', waiting, 'T002')).toThrow(
    expect.objectContaining({ code: 'USAGE_NO_TASK', message: 'T002 of 001-x never started.' }) as Error,
  )
})

test('every refusal lists the valid places', () => {
  const hintOf = (of: typeof events, point: string): string => {
    try {
      return String(forkPoint('001-x', of, point))
    } catch (error) {
      return (error as { hint: string }).hint
    }
  }
  const [first, second] = [startOf('T001') - 1, startOf('T002') - 1]
  const kept = events.filter(({ type }) => type === 'checkpoint.made').map(({ seq }, n) => `C${n + 1} (event ${seq})`)
  const all = `There are the events 1 to ${events.length}; T001 (event ${first}), T002 (event ${second}); ${kept.join(', ')}; and last.`
  for (const point of ['0', '999', 'T009', 'C9']) expect(hintOf(events, point)).toContain(all)
  expect(hintOf(events.slice(0, startOf('T001')), 'T002')).toContain(
    `1 to ${first + 1}; T001 (event ${first}); and last.`,
  )
  expect(hintOf(events.slice(0, 3), 'T002')).toContain('There are the events 1 to 3; and last.')
  const many = Array.from({ length: 10 }, (_, n) => ({
    ...events[startOf('T001') - 1]!,
    task: `T${n}`,
    seq: n + 2,
  })) as typeof events
  expect(hintOf(many, '0')).toContain('T7 (event 8) and 2 more; and last.')
})

test('E8 F17: a checkpoint is the event that records it, unless a task is called so', () => {
  const last = events.at(-1)!
  const made = (id: string, seq: number): typeof last => ({
    type: 'checkpoint.made',
    checkpoint: { id, commit: 'abc', wave: 1, landings: 1, passing: [], ref: '' },
    seq,
    at: last.at,
  })
  const plain = events.filter(({ type }) => type !== 'checkpoint.made')
  const kept = [...plain, made('C1', last.seq + 1), made('C2', last.seq + 2), { ...last, seq: last.seq + 3 }]
  expect(['C1', 'c2'].map((point) => forkPoint('001-x', kept, point))).toEqual([last.seq + 1, last.seq + 2])
  expect(() => forkPoint('001-x', kept, 'C3')).toThrow(
    expect.objectContaining({
      hint: expect.stringContaining(`; C1 (event ${last.seq + 1}), C2 (event ${last.seq + 2}); and last.`) as string,
    }) as Error,
  )
  const added = events.find((event) => event.type === 'task.added')!
  const called = [{ ...added, task: { ...added.task, id: 'C1' } }, ...kept]
  expect(() => forkPoint('001-x', called, 'C1')).toThrow('C1 of 001-x never started.')
})
