/** The user's commands to a virtual run: into the inbox of a live run, or into the journal of a resting one. */
import { receive } from '../core/commands.ts'
import { rolledBack } from '../core/stages/wave/next-step.ts'
import type { NextStep } from '../model/convergence.ts'
import type { Command, Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Random } from './random.ts'
import type { UserCommand } from './scenario.ts'
import { commandOf } from './user-orders.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { VirtualDisk } from './virtual-disk.ts'
import type { Machine } from './virtual-dispatch.ts'
import { rollBack, type VirtualGit } from './virtual-git.ts'
import type { Witness } from './witness.ts'

export interface VirtualUser {
  /** Sends a command through the inbox of a live run, or straight into the journal of a resting one. */
  send(wanted: UserCommand): void
  /** Records a command in the journal of a resting run. */
  record(command: Command): void
  inbox(): Command[]
  acknowledge(id: string): void
}

export interface UserOptions {
  /** The fold of the durable events. `catchUp` applies those that are new. */
  known: RunState
  catchUp: () => void
  clock: VirtualClock
  chance: Random
  disk: VirtualDisk
  git: VirtualGit
  machine: Machine
  witness: Witness
  isLive: () => boolean
  nudge: () => void
}

export function createVirtualUser(options: UserOptions): VirtualUser {
  const { known, catchUp, clock, chance, disk, git, machine, witness, isLive, nudge } = options
  let inbox: Command[] = []
  let commands = 0

  function send(wanted: UserCommand): void {
    const command = commandOf(String(++commands), wanted, known)
    // Only the run itself knows its rollback targets.
    if (command === null || (wanted.do !== 'rollback' && 'refused' in receive(known, command))) return
    if (!isLive()) return record(command)
    witness.saw({ kind: 'sent', command, to: 'inbox' })
    inbox.push(command)
    clock.after(chance.chance(0.7) ? 5 : 1_000, nudge)
  }

  function record(command: Command): void {
    if (command.do === 'pause' || command.do === 'stop' || command.do === 'abort') return
    if (
      known.status === 'new'
      || (known.status === 'completed' && command.do !== 'rollback')
      || known.status === 'aborted'
    )
      return
    const received = receive(known, command)
    if (!('fact' in received)) return
    witness.saw({ kind: 'sent', command, to: 'journal' })
    const before = known.convergence.next
    write(received.fact)
    if (command.do === 'rollback') rollBackNow(before)
  }

  function write(fact: Fact): void {
    const at = new Date(Math.max(clock.now(), Date.parse(known.lastAt))).toISOString()
    disk.write({ seq: known.seq + 1, at, ...fact })
    catchUp()
  }

  /** Rolls back a resting run at once. The process may die meanwhile; then the next engine completes the rollback. */
  function rollBackNow(before: NextStep | null): void {
    const {
      landings,
      base,
      convergence: { next },
    } = known
    if (next?.do !== 'roll-back') return
    machine.machineDied()
    if (chance.chance(0.2)) return
    const from = landings.at(-1)?.commit ?? base.commit
    const done = rollBack(git, from, next.to)
    if (done?.moved) witness.saw({ kind: 'rolled-back', from, to: next.to })
    if (done === null) return write({ type: 'rollback.withdrawn', why: 'moved', next: before })
    if (chance.chance(0.2)) return
    rolledBack(known, next, { from, kept: done.kept }).forEach(write)
  }

  return {
    send,
    record,
    inbox: () => [...inbox],
    acknowledge(id) {
      inbox = inbox.filter((command) => command.id !== id)
    },
  }
}
