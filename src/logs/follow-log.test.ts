import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { loggedRun, says, seenAt, type LoggedRun } from '../../test/kit/logged-run.ts'
import { completedRun, limitedRun } from '../../test/kit/runs.ts'
import { sampleBytes } from '../../test/kit/sample-events.ts'
import { createMask } from '../agents/mask.ts'
import type { Event } from '../model/event.ts'
import { type LogEvent } from '../model/log.ts'

let run: LoggedRun
afterEach(() => run.remove())

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

describe('following', () => {
  /** A run in the middle of its first coder's turn, and the events after that. */
  const halfway = (): { known: Event[]; rest: Event[] } => {
    const { events } = completedRun()
    const cut = events.findIndex((event) => event.type === 'work.started' && event.work.id === 'T001/a1/implement') + 1
    return { known: events.slice(0, cut), rest: events.slice(cut) }
  }
  const journal = (): string => join(run.dir, 'events.jsonl')
  const whenFollowing = (): { isFollowing: Promise<void>; onFollow: () => void } => {
    let onFollow = (): void => {}
    const isFollowing = new Promise<void>((resolve) => {
      onFollow = resolve
    })
    return { isFollowing, onFollow }
  }

  test('goes on with journal and streams as they grow, in folders that come later and lines that come in pieces, and ends with the run', async () => {
    const { known, rest } = halfway()
    run = loggedRun(known)
    const { isFollowing, onFollow } = whenFollowing()
    const following = run.read({ follow: true, onFollow, last: 0 })
    const next = async (): Promise<string> => short((await following.next()).value as LogEvent)
    const first = next()
    // What is there before that would be left out.
    await isFollowing
    mkdirSync(dirname(run.stream('T001/a1/implement')), { recursive: true })
    writeFileSync(run.stream('T001/a1/implement'), says('one').slice(0, 9))
    await sleep(20)
    appendFileSync(run.stream('T001/a1/implement'), says('one').slice(9))
    expect(await first).toBe('T001/a1/implement message one')
    run.print('T001/a1/implement', says('two'))
    expect(await following.next()).toMatchObject({ value: { content: 'two', timestamp: seenAt } })
    // The last messages arrive with the end of the turn.
    run.print('T001/a1/implement', says('three'))
    run.print('T002/a1/implement', says('of another'))
    appendFileSync(journal(), sampleBytes(rest))
    const others: string[] = []
    for await (const event of following) others.push(short(event))
    expect(others.slice(0, 2)).toEqual(['T001/a1/implement message three', 'T001/a1/implement summary done'])
    expect(others).toContain('T002/a1/implement message of another')
    expect(others.at(-1)).toBe('gate/g1/verify summary done')
  })

  test.each([null, 100])('what was there already comes first, once (last: %s)', async (last) => {
    const { known } = halfway()
    run = loggedRun(known, { 'T001/a1/implement': says('old') + says('older').slice(0, 12) })
    const stop = new AbortController()
    const { isFollowing, onFollow } = whenFollowing()
    const following = run.read({ follow: true, onFollow, last, task: 'T001', signal: stop.signal })
    expect((await following.next()).value).toMatchObject({
      content: 'old',
      timestamp: expect.stringMatching(/^2026-01-01/) as string,
    })
    const next = following.next()
    await isFollowing
    run.print('T001/a1/implement', says('older').slice(12))
    expect((await next).value).toMatchObject({ content: 'older', timestamp: seenAt })
    const waiting = following.next()
    stop.abort()
    expect((await waiting).done).toBe(true)
  })

  test('a run that is over ends with what there is; one that paused is waited for', async () => {
    run = loggedRun(completedRun().events)
    expect(await run.all({ follow: true })).toEqual(await run.all())
    run.remove()
    run = loggedRun(limitedRun().events)
    const stop = new AbortController()
    const following = run.read({ follow: true, last: 0, signal: stop.signal })
    const next = following.next()
    expect(await Promise.race([next, sleep(50, 'waiting')])).toBe('waiting')
    stop.abort()
    expect((await next).done).toBe(true)
  })

  test('secrets of a turn under way are not shown', async () => {
    run = loggedRun(halfway().known, { 'T001/a1/implement': says('it is swordfish-123') })
    expect((await run.all({ maskFor: () => createMask({ MY_TOKEN: 'swordfish-123' }, []) })).map(short).at(-1)).toBe(
      'T001/a1/implement message it is [MY_TOKEN]',
    )
  })
})
