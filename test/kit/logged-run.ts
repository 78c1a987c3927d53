/** The folder of a run as it lies on disk: its journal, and for some turns what their agents printed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createMask } from '../../src/agents/mask.ts'
import { createFollower } from '../../src/app/follow/follow.ts'
import { runIn } from '../../src/app/runs/runs.ts'
import { turnFolder } from '../../src/dispatch/turn-folder.ts'
import { readLog, type LogOptions } from '../../src/logs/read-log.ts'
import type { Event } from '../../src/model/event.ts'
import type { LogEvent } from '../../src/model/log.ts'
import { sampleBytes } from './sample-events.ts'

/** `onFollow` is called when everything that was there has been read. */
type Options = Partial<Omit<LogOptions, 'follow'>> & { follow?: boolean; onFollow?: () => void }

export interface LoggedRun {
  dir: string
  /** Where the stream of a turn lies. */
  stream(turn: string, starts?: number): string
  print(turn: string, text: string | Buffer, starts?: number): void
  read(options?: Options): AsyncGenerator<LogEvent, void, undefined>
  all(options?: Options): Promise<LogEvent[]>
  remove(): void
}

/** A clock that is far from the times of any journal. */
export const seenAt = '2027-07-07T07:07:07.000Z'

export function loggedRun(events: readonly Event[], printed: Record<string, string> = {}): LoggedRun {
  const root = mkdtempSync(join(tmpdir(), 'looper-log-'))
  const dir = join(root, '001-x')
  mkdirSync(dir)
  writeFileSync(join(dir, 'events.jsonl'), sampleBytes(events))
  const follower = createFollower()
  const run: LoggedRun = {
    dir,
    stream: (turn, starts = 1) => turnFolder(dir, turn, starts).stream,
    print(turn, text, starts = 1) {
      mkdirSync(dirname(run.stream(turn, starts)), { recursive: true })
      writeFileSync(run.stream(turn, starts), text, { flag: 'a' })
    },
    read({ follow = false, onFollow, signal = new AbortController().signal, ...options } = {}) {
      const stored = runIn(dir)
      const coming: LogOptions['follow'] = (after) => {
        onFollow?.()
        return follower.follow(async () => stored, { after, until: 'end', signal })
      }
      return readLog(stored, {
        last: null,
        task: null,
        types: null,
        signal,
        maskFor: () => createMask({}, []),
        now: () => seenAt,
        pollMs: 5,
        ...options,
        follow: follow ? coming : null,
      })
    },
    async all(options) {
      const lines: LogEvent[] = []
      for await (const event of run.read(options)) lines.push(event)
      return lines
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
  for (const [turn, text] of Object.entries(printed)) run.print(turn, text)
  return run
}

export const says = (text: string): string => `${JSON.stringify({ type: 'message', text })}\n`
