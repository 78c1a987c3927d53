/** The time of a run, and timers by it: as the machine's clock tells it, but it never stands still nor runs backwards. */

interface Sources {
  /** Milliseconds since the epoch; people and programs set it. */
  wall(): number
  /** Milliseconds since some moment; nobody can set it, and it may stand still while the machine sleeps. */
  steady(): number
}

const machine: Sources = { wall: () => Date.now(), steady: () => performance.now() }

/** A clock that is only being trimmed loses less than this: then its own time is the time. */
const slowly = 0.999
/** A timer knows only steady time, so it looks at the clock now and then. */
const longestSleepMs = 1_000

/** Begins at `notBefore` when the clock was set back since then: a run that has got further does not wait for the time to come again. */
export function createClock(notBefore: number, { wall, steady }: Sources = machine) {
  let last = notBefore
  let seen = steady()
  const now = (): number => {
    const seenNow = steady()
    last = Math.max(wall(), last + (seenNow - seen) * slowly)
    seen = seenNow
    return Math.round(last)
  }
  return {
    now,
    at(time: number, callback: () => void): () => void {
      let timer: NodeJS.Timeout
      const sleep = (): void => {
        const left = Math.max(0, time - now())
        timer = setTimeout(() => (now() >= time ? callback() : sleep()), Math.min(left, longestSleepMs))
      }
      sleep()
      return () => clearTimeout(timer)
    },
  }
}

/** For whoever has no past. */
export const systemClock = createClock(0)
