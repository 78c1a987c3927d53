/** Wakes the engine when there is something to do. */

export interface Wake {
  wakeUp(): void
  /** Resolves when the engine was woken since the last call; at once, the first time. */
  wait(): Promise<void>
}

export function createWake(): Wake {
  let isDue = true
  let wake: () => void = () => {}
  return {
    wakeUp() {
      isDue = true
      wake()
    },
    async wait() {
      if (!isDue)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      isDue = false
    },
  }
}
