/** Other actors in the source: tasks that they take, and edits that people make during the run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { createShelf, item, runMirrored } from '../../test/kit/mirrored-run.ts'
import type { TaskStore } from '../model/source.ts'
import { createClaudeTaskStore } from './claude-tasks/store.ts'

describe('B13: a task that another actor has taken in a shared source', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'looper-mirror-'))
    for (const id of ['1', '2', '3', '4']) put(id, {})
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const put = (id: string, more: Record<string, unknown>): void =>
    writeFileSync(
      join(folder, `${id}.json`),
      JSON.stringify({
        id,
        subject: `Do ${id}`,
        description: '',
        status: 'pending',
        blocks: [],
        blockedBy: [],
        ...more,
      }),
    )
  const taken = { status: 'in_progress', owner: 'ann' }
  const free = {}
  const meddle = (poll: number): void =>
    void (poll % 2 === 0 && put('9', { status: 'completed', description: `changed ${poll}` }))
  /** The result of claiming task `2`, which changes at the given polls; another task changes at every second poll. */
  async function asked(becomes: Record<number, object>) {
    const played = await runMirrored(
      { ...createShelf([]), store: createClaudeTaskStore(folder, { owner: '001-x' }) },
      {
        meanwhile: (poll) => {
          meddle(poll)
          if (becomes[poll]) put('2', becomes[poll] as Record<string, unknown>)
        },
      },
    )
    const claims = played.events.flatMap((event) =>
      event.type === 'work.finished' && event.outcome.kind === 'sync' ? (event.outcome.claim ?? []) : [],
    )
    return {
      ...played,
      tried: claims.filter(({ task }) => task === '2').map(({ ok }) => ok),
      file: JSON.parse(readFileSync(join(folder, '2.json'), 'utf8')) as unknown,
    }
  }

  test('is left alone as long as they have it, whatever else changes there', async () => {
    const { state, of, tried, file } = await asked({ 0: taken })
    expect(tried).toEqual([false])
    expect(of('task.reopened')).toEqual([])
    expect(state).toMatchObject({ status: 'paused', counts: { done: 4, blocked: 1 } })
    expect(file).toMatchObject(taken)
  })

  test('is left alone, also when they were only quicker', async () => {
    const store = createClaudeTaskStore(folder, { owner: '001-x' })
    const claim: TaskStore['claim'] = (id, ...rest) => {
      if (id === '2') put('2', taken)
      return store.claim(id, ...rest)
    }
    const { state, of } = await runMirrored({ ...createShelf([]), store: { ...store, claim } }, { meanwhile: meddle })
    expect(of('task.reopened')).toEqual([])
    expect(state).toMatchObject({ status: 'paused', counts: { done: 4, blocked: 1 } })
  })

  const skipped: [name: string, becomes: object, dies: boolean, there: object][] = [
    ['as long as they have it', taken, false, taken],
    ['after a resume', taken, true, taken],
    ['when they let go of it, and is cancelled there then', free, false, { status: 'completed' }],
    ['when they let go of it before a resume, and is cancelled there then', free, true, { status: 'completed' }],
  ]
  test.each(skipped)('stays skipped %s', async (_, becomes, dies, there) => {
    put('2', taken)
    const { of } = await runMirrored(
      { ...createShelf([]), store: createClaudeTaskStore(folder, { owner: '001-x' }) },
      {
        meanwhile: (poll) => {
          meddle(poll)
          if (poll === 6) put('2', becomes as Record<string, unknown>)
        },
        skip: (poll) => (poll === 4 ? '2' : null),
        flushBefore: (poll) => poll === 5,
        dieBefore: (poll) => dies && poll === 6,
      },
    )
    expect(of('task.reopened')).toEqual([])
    expect(JSON.parse(readFileSync(join(folder, '2.json'), 'utf8'))).toMatchObject(there)
  })

  test('is done when it is free again', async () => {
    const { state, of, tried } = await asked({ 0: taken, 6: free })
    expect(tried).toEqual([false, true])
    expect(of('task.reopened')).toMatchObject([{ tasks: ['2'], why: 'source' }])
    expect(state.status).toBe('completed')
  })

  test('is done when it is free again, also when the other claim was never seen', async () => {
    const store = createClaudeTaskStore(folder, { owner: '001-x' })
    let isQuicker = true
    const claim: TaskStore['claim'] = async (id, by, at) => {
      if (id !== '2' || !isQuicker) return store.claim(id, by, at)
      isQuicker = false
      return false
    }
    const { state } = await runMirrored({ ...createShelf([]), store: { ...store, claim } }, { meanwhile: meddle })
    expect(state).toMatchObject({ status: 'completed', counts: { done: 5 } })
  })
})

type Hand = { poll: number; id: string } & (
  | { do: 'add' }
  | { do: 'rename'; title: string }
  | { do: 'status'; status: 'done' | 'cancelled' | 'todo' }
  | { do: 'remove' }
)

const ids = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6']
const hand: fc.Arbitrary<Hand> = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(...ids),
    fc.oneof(
      fc.constant({ do: 'add' } as const),
      fc.record({ do: fc.constant('rename' as const), title: fc.stringMatching(/^[a-z]{1,8}$/) }),
      fc.record({ do: fc.constant('status' as const), status: fc.constantFrom('done', 'cancelled', 'todo') }),
      fc.constant({ do: 'remove' } as const),
    ),
  )
  .map(([poll, id, what]) => ({ poll, id, ...what }))

test('D4: no edit that people make during the run is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom('T1', 'T2', 'T3'), { minLength: 1 }),
      fc.array(hand, { maxLength: 6 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      async (start, hands, flushes, deaths) => {
        const shelf = createShelf(start.map((id) => item(id)))
        const titles = new Map<string, string>()
        const gone = new Set<string>()
        const closed = new Map<string, string>()
        const meanwhile = (poll: number): void => {
          for (const act of hands.filter((each) => each.poll === poll)) {
            const task = shelf.there.get(act.id)
            if (act.do === 'add' && !task) {
              shelf.there.set(act.id, item(act.id))
              gone.delete(act.id)
            } else if (act.do === 'rename' && task) {
              shelf.there.set(act.id, { ...task, title: act.title })
              titles.set(act.id, act.title)
            } else if (act.do === 'status' && task) {
              shelf.there.set(act.id, { ...task, status: act.status })
              closed.delete(act.id)
              if (act.status !== 'todo' && task.status !== act.status) closed.set(act.id, act.status)
            } else if (act.do === 'remove' && task) {
              shelf.there.delete(act.id)
              gone.add(act.id)
              titles.delete(act.id)
              closed.delete(act.id)
            }
          }
        }
        const { state } = await runMirrored(shelf, {
          meanwhile,
          flushBefore: (poll) => flushes[poll] ?? true,
          dieBefore: (poll) => deaths[poll] ?? false,
        })
        for (const [id, title] of titles) {
          expect(shelf.there.get(id)?.title).toBe(title)
          expect(state.tasks[id]?.title).toBe(title)
        }
        for (const id of gone) expect(shelf.there.has(id)).toBe(false)
        for (const task of shelf.there.values()) expect(['done', 'cancelled']).toContain(task.status)
        for (const [id, status] of closed) expect(shelf.there.get(id)?.status).toBe(status)
      },
    ),
    { numRuns: tries(300) },
  )
})
