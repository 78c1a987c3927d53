/** Reads a journal and extracts what a log needs: the turns, the names of their streams, and other events to show. */
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { turnFolder } from '../dispatch/turn-folder.ts'
import type { AgentErrorKind } from '../model/agent-error.ts'
import type { AgentConfig } from '../model/config.ts'
import type { Event } from '../model/event.ts'
import type { LogEvent, LogOrigin } from '../model/log.ts'
import type { RunState } from '../model/state.ts'
import type { TurnWork } from '../model/work.ts'
import { logOf, originOf } from './journal-log.ts'

export interface Turn {
  /** Number of the event that started the turn; it orders events with the same time. */
  seq: number
  work: TurnWork
  origin: LogOrigin
  agent: AgentConfig
  startedAt: string
  /** Null while the turn runs. */
  endedAt: string | null
  /** The kind of error the turn ended with; the same error at the end of its stream is not shown again. */
  failure: AgentErrorKind | null
  /** The name of its artifact; null when a later turn uses the same folder. */
  stream: string | null
}

/** `ended`: the turn is over, and `events` follow everything in its stream. */
export type Entry = { seq: number; at: string } & (
  | { kind: 'began'; turn: Turn }
  | { kind: 'ended'; turn: Turn; events: LogEvent[] }
  | { kind: 'other'; events: LogEvent[] }
)

export interface Chronicle {
  state: RunState
  /** Call with every event, in order and once. Null when the event has no line in a log. */
  take(event: Event): Entry | null
}

export function createChronicle(): Chronicle {
  const state = initialState()
  const open = new Map<string, Turn>()
  const byFolder = new Map<string, Turn>()

  const began = (event: Event<'work.started'>, work: TurnWork): Entry => {
    const { stream } = turnFolder('', work.id, state.works[work.id]?.starts ?? 1)
    const turn: Turn = {
      seq: event.seq,
      work,
      origin: originOf(state.run, work),
      agent: state.config.agents[work.agent] ?? {},
      startedAt: event.at,
      endedAt: null,
      failure: null,
      stream,
    }
    const before = byFolder.get(stream)
    if (before !== undefined) before.stream = null
    byFolder.set(stream, turn)
    open.set(work.id, turn)
    return { kind: 'began', seq: event.seq, at: event.at, turn }
  }
  const ended = (turn: Turn, event: Event, events: LogEvent[]): Entry => {
    turn.endedAt = event.at
    turn.failure = failureOf(event)
    open.delete(turn.work.id)
    return { kind: 'ended', seq: event.seq, at: event.at, turn, events }
  }
  const take = (event: Event): Entry | null => {
    const id = event.type === 'work.finished' || event.type === 'work.lost' ? event.id : null
    const work = id === null ? null : (state.works[id]?.work ?? null)
    evolve(state, event)
    if (event.type === 'work.started' && event.work.kind === 'turn') return began(event, event.work)
    // Turns that were running at the time of the fork ended in the other run.
    if (event.type === 'run.forked') for (const turn of open.values()) turn.endedAt = event.at
    const events = logOf(state.run, event, work, (name) => Object.hasOwn(state.tasks, name))
    const turn = id === null ? undefined : open.get(id)
    if (turn !== undefined) return ended(turn, event, events)
    return events.length === 0 ? null : { kind: 'other', seq: event.seq, at: event.at, events }
  }
  return { state, take }
}

function failureOf(event: Event): AgentErrorKind | null {
  if (event.type !== 'work.finished' || event.outcome.kind !== 'turn') return null
  return event.outcome.status === 'error' ? event.outcome.error.kind : null
}
