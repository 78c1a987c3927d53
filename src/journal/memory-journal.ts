/** A journal that lives as long as its process: for tests and simulation. It keeps text, so nobody shares an event with it. */
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Journal, Snapshots } from './journal.ts'
import { checkAppend } from './journal.ts'
import { encodeEvent, trailerLength } from './line.ts'

export function memoryJournal(): Journal {
  const lines: string[] = []
  let closed = false
  return {
    load: async (after = 0) => lines.slice(after).map((line): Event => JSON.parse(`${line.slice(0, -trailerLength)}}`)),
    async append(after, events) {
      if (closed) throw new LooperError('BUG_INVARIANT', 'The journal is closed')
      checkAppend(lines.length, after, events)
      lines.push(...events.map(encodeEvent))
    },
    async close() { closed = true },
  }
}

export function memorySnapshots(): Snapshots {
  let text: string | null = null
  return {
    load: async () => text === null ? null : (JSON.parse(text) as RunState),
    async save(state) { text = JSON.stringify(state) },
  }
}
