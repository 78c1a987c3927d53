/**
 * The time of a run, and timers by it: as the machine's clock tells it, but it never stands still nor runs backwards.
 */
import type { Clock } from '../model/ports.ts'

interface Sources {
  /** Milliseconds since the epoch; people and programs set it. */
  wall(): number
  /** Milliseconds since some moment; nobody can set it, and it may stand still while the machine sleeps. */
  steady(): number
  /**
   * Whether the steady clock goes on while the machine sleeps. Linux stops it; macOS, as Node asks for it, does not.
   */
  countsSleep?: boolean
}

const machine: Sources = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  countsSleep: process.platform === 'darwin',
}

/** A clock that is only being trimmed loses less than this: then its own time is the time. */
const slowly = 0.999
/** A timer knows only steady time, so it looks at the clock now and then. */
const longestSleepMs = 1_000

/** A smaller gain is a clock that is being trimmed; it adds up until it is worth reporting. */
const leastJumpMs = 5_000
/**
 * Timers look at least every second: a process whose clock passed this meanwhile was asleep, where the steady clock
 * counts sleep.
 */
const longestNapMs = 60_000

/**
 * Begins at `notBefore` when the clock was set back since then: a run that has got further does not wait for the time
 * to come again.
 */
export function createClock(
  notBefore: number,
  { wall, steady, countsSleep = false }: Sources = machine,
): Required<Clock> {
  let last = Math.max(notBefore, wall())
  let seen = steady()
  let gained = 0
  let timers = 0
  const now = (): number => {
    const seenNow = steady()
    const passed = seenNow - seen
    const next = Math.max(wall(), last + passed * slowly)
    const slept = countsSleep && timers > 0 && passed > longestNapMs
    gained = Math.max(0, gained + next - last - (slept ? 0 : passed))
    last = next
    seen = seenNow
    return Math.round(last)
  }
  return {
    now,
    skipped() {
      if (gained < leastJumpMs) return 0
      const ms = gained
      gained = 0
      return ms
    },
    at(time: number, callback: () => void): () => void {
      let timer: NodeJS.Timeout
      let isSet = true
      timers++
      const over = (): void => {
        if (isSet) timers--
        isSet = false
      }
      const ring = (): void => {
        if (now() < time) return sleep()
        over()
        callback()
      }
      const sleep = (): void => {
        timer = setTimeout(ring, Math.min(Math.max(0, time - now()), longestSleepMs))
      }
      sleep()
      return () => {
        over()
        clearTimeout(timer)
      }
    },
  }
}

/**
 * Milliseconds since the machine started, or some moment before: the same count for all its processes. Setting the
 * clock does not change it.
 */
export const steadyNow = (): number => Math.round(Number(process.hrtime.bigint() / 1_000n) / 1_000)

/** For uses without a run. */
export const systemClock = createClock(0)
