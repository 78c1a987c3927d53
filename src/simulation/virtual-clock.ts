/** Time that advances only on request. Processes use steady time; the wall clock, which engines see, can be set. */
import type { Clock } from '../model/ports.ts'

export interface VirtualClock extends Required<Clock> {
  /** Calls back after this much steady time, whatever happens to the wall clock. */
  after(ms: number, callback: () => void): () => void
  /** Sets the wall clock forward or back. */
  jump(ms: number): void
  /** Advances to the next timer and runs it; false when there is none. */
  step(): boolean
  /** Milliseconds of steady time so far. */
  steady(): number
}

interface Entry {
  steady: boolean
  time: number
  callback: () => void
}

export const startOfTime = Date.parse('2026-01-01T00:00:00.000Z')

export function createVirtualClock(start: number = startOfTime): VirtualClock {
  const entries = new Set<Entry>()
  let elapsed = 0
  let offset = start
  let last = start
  let seen = 0
  let gained = 0
  const now = (): number => {
    gained = Math.max(0, gained + Math.max(0, elapsed + offset - last) - (elapsed - seen))
    last = Math.max(last, elapsed + offset)
    seen = elapsed
    return elapsed + offset
  }
  const dueOf = ({ steady, time }: Entry): number => Math.max(elapsed, steady ? time : time - offset)
  const add = (entry: Entry): (() => void) => {
    entries.add(entry)
    return () => {
      entries.delete(entry)
    }
  }
  return {
    now,
    skipped() {
      now()
      const ms = gained
      gained = 0
      return ms
    },
    steady: () => elapsed,
    at: (time, callback) => add({ steady: false, time, callback }),
    after: (ms, callback) => add({ steady: true, time: elapsed + ms, callback }),
    jump(ms) {
      offset += ms
    },
    step() {
      let first: Entry | null = null
      let due = Infinity
      for (const entry of entries) {
        const time = dueOf(entry)
        if (time < due) [first, due] = [entry, time]
      }
      if (first === null) return false
      entries.delete(first)
      elapsed = due
      first.callback()
      return true
    },
  }
}

/** One life of an engine: after its end, none of its callbacks acts again. */
export interface Life {
  readonly n: number
  alive: boolean
}

/** The clock of one engine. */
export const clockOf = (clock: VirtualClock, life: Life): Clock => ({
  now: clock.now,
  at: (time, callback) =>
    clock.at(time, () => {
      if (life.alive) callback()
    }),
})

/** Resolves after this much steady time, unless the life has ended by then. */
export const pass = (clock: VirtualClock, life: Life, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, () => {
      if (life.alive) resolve()
    })
  })
