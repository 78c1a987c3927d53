import { describe, expect, test } from 'vitest'
import { createClock } from './clock.ts'

/** A simulated machine whose time the test advances. */
function createMachine(start = 1_000_000) {
  const machine = { time: start, elapsed: 0, wall: () => machine.time, steady: () => machine.elapsed }
  const pass = (ms: number, wallMs = ms): void => {
    machine.elapsed += ms
    machine.time += wallMs
  }
  return {
    sources: machine,
    pass,
    set: (ms: number): void => {
      machine.time += ms
    },
  }
}

const hour = 3_600_000

describe('the time of a run', () => {
  test('is the time of the clock, also when that is trimmed', () => {
    const { sources, pass } = createMachine()
    const clock = createClock(0, sources)
    for (let seconds = 0; seconds < 20_000; seconds++) {
      pass(1_000, seconds % 2 === 0 ? 999.5 : 1_000.5)
      expect(clock.now()).toBe(Math.round(sources.wall()))
    }
  })

  test('goes ahead with the clock: people set it, and machines sleep', () => {
    const { sources, pass, set } = createMachine()
    const clock = createClock(0, sources)
    set(hour)
    expect(clock.now()).toBe(1_000_000 + hour)
    pass(0, hour)
    expect(clock.now()).toBe(1_000_000 + 2 * hour)
  })

  test('keeps advancing when the clock is set back, until the clock has caught up', () => {
    const { sources, pass, set } = createMachine()
    const clock = createClock(0, sources)
    clock.now()
    set(-hour)
    expect(clock.now()).toBe(1_000_000)
    pass(10_000)
    expect(clock.now()).toBe(1_009_990)
    set(hour)
    expect(clock.now()).toBe(1_010_000)
  })

  test('begins where the run was', () => {
    const { sources, pass } = createMachine()
    const clock = createClock(1_000_000 + hour, sources)
    expect(clock.now()).toBe(1_000_000 + hour)
    pass(2_000)
    expect(clock.now()).toBe(1_000_000 + hour + 1_998)
    expect(createClock(5, sources).now()).toBe(1_002_000)
  })
})

describe('reports jumps of the clock', () => {
  test('is reported once, however often the clock was read', () => {
    const { sources, pass, set } = createMachine()
    const clock = createClock(0, sources)
    expect(clock.skipped()).toBe(0)
    set(4 * hour)
    clock.now()
    pass(2_000)
    clock.now()
    expect(clock.skipped()).toBe(4 * hour)
    expect(clock.skipped()).toBe(0)
    pass(hour)
    clock.now()
    expect(clock.skipped()).toBe(0)
  })

  test('includes a sleep that the steady clock did not see', () => {
    const { sources, pass } = createMachine()
    const clock = createClock(0, sources)
    pass(1_000, hour + 1_000)
    clock.now()
    expect(clock.skipped()).toBe(hour)
  })

  test('is nothing when it only catches up after it was set back, or begins behind the run', () => {
    const { sources, pass, set } = createMachine()
    const clock = createClock(1_000_000 + hour, sources)
    clock.now()
    expect(clock.skipped()).toBe(0)
    pass(hour)
    clock.now()
    set(-hour)
    pass(hour)
    set(hour)
    clock.now()
    expect(clock.skipped()).toBe(0)
  })

  test('is nothing when the clock is only trimmed', () => {
    const { sources, pass } = createMachine()
    const clock = createClock(0, sources)
    for (let seconds = 0; seconds < 10_000; seconds++) {
      pass(1_000, seconds % 2 === 0 ? 999.5 : 1_000.5)
      clock.now()
      expect(clock.skipped()).toBe(0)
    }
  })

  test('where the steady clock counts sleep, a long silence of the timers was one', () => {
    const { sources, pass } = createMachine()
    const clock = createClock(0, { ...sources, countsSleep: true })
    const cancel = clock.at(1_000_000 + 10 * hour, () => {})
    pass(30_000)
    clock.now()
    expect(clock.skipped()).toBe(0)
    pass(hour)
    clock.now()
    expect(clock.skipped()).toBe(hour)
    cancel()
    // Without a timer the clock was not read, so a gap proves nothing.
    pass(hour)
    clock.now()
    expect(clock.skipped()).toBe(0)
  })
})

describe('a timer', () => {
  test('never strikes early, nor before it is set, and can be called off', async () => {
    const clock = createClock(0)
    const due = clock.now() + 30
    let over = false
    clock.at(due - 20, () => {
      over = true
    })()
    const rung: string[] = []
    await new Promise<void>((resolve) => {
      clock.at(0, () => {
        rung.push('past')
      })
      clock.at(due, resolve)
      rung.push('set')
    })
    expect(rung).toEqual(['set', 'past'])
    expect(clock.now()).toBeGreaterThanOrEqual(due)
    expect(over).toBe(false)
  })

  test.each([
    ['ahead', hour],
    ['back and ahead again', -hour],
  ])('sees that the clock was set %s', async (_, ms) => {
    const { sources, pass, set } = createMachine()
    const clock = createClock(0, sources)
    const struck = new Promise<void>((resolve) => {
      clock.at(clock.now() + hour, resolve)
    })
    set(ms)
    if (ms < 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      pass(hour)
      set(hour)
    }
    await struck
  })
})
