/** The machine's clock and its timers. */

/** Timers cannot sleep longer than this at once. */
const longestSleepMs = 2 ** 31 - 1

export const systemClock = {
  now: (): number => Date.now(),

  /** Looks at the clock again when it wakes, because clocks are set and machines sleep. */
  at(time: number, callback: () => void): () => void {
    let timer: NodeJS.Timeout
    const sleep = (): void => {
      const left = time - Date.now()
      timer = setTimeout(() => (Date.now() >= time ? callback() : sleep()), Math.min(Math.max(0, left), longestSleepMs))
    }
    sleep()
    return () => clearTimeout(timer)
  },
}
