/**
 * The disk with a run's journal and snapshot: appends become durable after a delay, and a crash may tear or lose them.
 */
import { checkAppend } from '../journal/check-append.ts'
import { encodeEvent } from '../journal/line.ts'
import { createScanner, start } from '../journal/scan.ts'
import { createUpcaster, type RawEvent } from '../journal/upcast.ts'
import { LooperError } from '../model/error.ts'
import { frozen } from '../model/frozen.ts'
import type { Event } from '../model/event.ts'
import type { Journal, Snapshots } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import type { Random } from './random.ts'
import { pass, type Life, type VirtualClock } from './virtual-clock.ts'

/** What happens to a group that was written but not synced, because its engine died or the disk failed. */
export type Tail = 'lost' | 'kept' | 'torn'

export interface VirtualDisk {
  /** The durable events, in order. */
  readonly events: readonly Event[]
  /** While true, writes fail. */
  full: boolean
  /** The next sync fails once. */
  failing: Tail | null
  open(life: Life): { journal: Journal; snapshots: Snapshots }
  /** Ends the engine of this life and applies `tail` to its unsynced groups. */
  crash(life: Life, tail: Tail): void
  /** Durable at once; for commands to a resting run. */
  write(event: Event): void
}

interface Group {
  life: Life
  lines: string[]
  resolve: () => void
  reject: (error: LooperError) => void
}

export interface DiskOptions {
  clock: VirtualClock
  random: Random
  /** Called when a group was written, before it is durable. */
  onAppend: (last: number) => void
  /** Called when events became durable, before `append` resolves. */
  onDurable: (count: number) => void
}

export function createVirtualDisk({ clock, random, onAppend, onDurable }: DiskOptions): VirtualDisk {
  const lines: string[] = []
  const events: Event[] = []
  /** An incomplete line, left by a crash. */
  let fragment = ''
  let pending: Group[] = []
  let snapshot: string | null = null

  const keep = (line: string): void => {
    lines.push(line)
    events.push(parse(line))
  }
  const accepted = (): number => pending.reduce((count, group) => count + group.lines.length, lines.length)

  const refuse = (groups: readonly Group[], error: LooperError): void => {
    for (const group of groups) group.reject(error)
  }

  const leave = (groups: readonly Group[], tail: Tail): void => {
    for (const { lines: cut } of groups) {
      const whole = tail === 'kept' ? cut.length : tail === 'lost' ? 0 : random.int(0, cut.length - 1)
      cut.slice(0, whole).forEach(keep)
      const next = cut[whole]
      if (tail === 'torn' && next !== undefined) fragment = next.slice(0, random.int(0, next.length - 1))
    }
  }

  /** Rejects these groups, although their events may be on the disk. */
  const fail = (groups: readonly Group[], tail: Tail): void => {
    disk.failing = null
    leave(groups.slice(0, 1), tail)
    onDurable(lines.length)
    refuse(groups, new LooperError('ENVIRONMENT_IO', 'events.jsonl: the disk failed'))
  }

  const sync = (group: Group): void => {
    const at = pending.indexOf(group)
    if (at < 0) return
    if (disk.full)
      return refuse(pending.splice(at), new LooperError('ENVIRONMENT_DISK_FULL', 'events.jsonl: no space left'))
    if (disk.failing !== null) return fail(pending.splice(at), disk.failing)
    const synced = pending.splice(0, at + 1)
    for (const { lines: added } of synced) added.forEach(keep)
    onDurable(lines.length)
    for (const { life, resolve } of synced) if (life.alive) resolve()
  }

  const append = (life: Life, after: number, added: readonly Event[]): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!life.alive) return
      checkAppend(accepted(), after, added)
      const group: Group = { life, lines: added.map(encodeEvent), resolve, reject }
      pending.push(group)
      clock.after(random.int(1, 8), () => sync(group))
      onAppend(accepted())
    })

  const disk: VirtualDisk = {
    events,
    full: false,
    failing: null,
    open: (life) => ({
      journal: {
        async load(after = 0) {
          fragment = readAgain(lines, fragment)
          await pass(clock, life, 1)
          return lines.slice(after).map(parse)
        },
        append: (after, added) => append(life, after, added),
        async close() {},
      },
      snapshots: {
        load: async () => (snapshot === null ? null : (JSON.parse(snapshot) as RunState)),
        async save(state) {
          if (disk.full) throw new LooperError('ENVIRONMENT_DISK_FULL', 'state.json: no space left')
          if (life.alive) snapshot = JSON.stringify(state)
        },
      },
    }),
    crash(life, tail) {
      leave(
        pending.filter((group) => group.life === life),
        tail,
      )
      pending = pending.filter((group) => group.life !== life)
    },
    write(event) {
      keep(encodeEvent(event))
    },
  }
  return disk
}

const upcast = createUpcaster()

/**
 * Frozen, because a recorded event must never change. The checksum is the last key: V8 removes that one without giving
 * the event a hidden class of its own, as it does to a copy without it.
 */
const parse = (line: string): Event => {
  const event = JSON.parse(line) as RawEvent & { sum?: string }
  delete event.sum
  return frozen(upcast(event))
}

/** Opens the file like the real journal, which cuts off a torn end. Returns the remaining fragment, always empty. */
function readAgain(lines: readonly string[], fragment: string): '' {
  if (fragment === '') return ''
  const scanner = createScanner(start, () => {})
  scanner.push(Buffer.from(lines.map((line) => `${line}\n`).join('') + fragment))
  if (scanner.damage !== null) throw new LooperError('JOURNAL_DAMAGED', scanner.damage.why)
  const { seq } = scanner.position
  if (seq !== lines.length) throw new LooperError('BUG_INVARIANT', `${seq} of ${lines.length} events were read`)
  return ''
}
