/** Orders to the engine: from its own process, and from people through the inbox of the run. */
import { receive } from '../core/commands.ts'
import type { Fact } from '../model/event.ts'
import type { Inbox } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import type { Recorder } from './recorder.ts'

export interface Orders {
  /** Records the orders that have arrived. Commands of people are acknowledged once they are durable. */
  record(): Promise<void>
  /** Drops every stop and pause that an earlier engine never read: a person has started the run again since. */
  dropStale(): Promise<void>
  add(order: Fact): void
  /** Makes the next `record` read the inbox. */
  expectMail(): void
}

export function createOrders(state: RunState, inbox: Inbox, recorder: Pick<Recorder, 'record' | 'flush'>): Orders {
  const orders: Fact[] = []
  let hasMail = true
  return {
    async record() {
      for (const fact of orders.splice(0)) recorder.record(fact)
      if (!hasMail) return
      hasMail = false
      const commands = await inbox.read()
      for (const command of commands) {
        const received = receive(state, command)
        if ('fact' in received) recorder.record(received.fact)
      }
      if (commands.length === 0) return
      await recorder.flush()
      for (const { id } of commands) await inbox.acknowledge(id)
    },
    async dropStale() {
      for (const { id, do: what } of await inbox.read())
        if (what === 'stop' || what === 'pause') await inbox.acknowledge(id)
    },
    add: (order) => void orders.push(order),
    expectMail() {
      hasMail = true
    },
  }
}
