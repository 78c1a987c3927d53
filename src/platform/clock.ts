/** The clock of a run and its timers. It follows the machine's clock but never stops and never runs backwards. */
import type { Clock } from '../model/ports.ts'

interface Sources {
  /** Milliseconds since the epoch; people and programs set it. */
  wall(): number
  /** Monotonic milliseconds since an arbitrary moment. It cannot be set, and it may stop while the machine sleeps. */
  steady(): number
  /**
   * Whether the monotonic clock advances while the machine sleeps. It does on macOS, as Node reads it, and not on
   * Linux.
   */
  countsSleep?: boolean
}

const machine: Sources = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  countsSleep: process.platform === 'darwin',
}

/** A clock that runs at least at this rate is only being adjusted, so its own time is trusted. */
const slowly = 0.999
/** setTimeout knows only monotonic time, so a timer checks the wall clock at least this often. */
const longestSleepMs = 1_000

/** A smaller gain is normal clock adjustment. Gains add up until they reach this threshold. */
const leastJumpMs = 5_000
/**
 * Timers check the clock at least every second. A longer gap means that the machine slept, where the monotonic clock
 * counts sleep.
 */
const longestNapMs = 60_000

/**
 * Starts at `notBefore` when the clock was set back since then, so a resumed run does not wait for that time to come
 * again.
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
 * Milliseconds since a fixed moment before or at boot, the same for all processes of the machine. Setting the clock
 * does not change it.
 */
export const steadyNow = (): number => Math.round(Number(process.hrtime.bigint() / 1_000n) / 1_000)

/** The clock for code that runs outside of a run. */
export const systemClock = createClock(0)
