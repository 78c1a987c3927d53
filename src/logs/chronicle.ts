/**
 * Goes through a journal and notes what a log needs of it: which turns there were, where their streams lie, what else
 * is to be told.
 */
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
  /** The event it began with: of two that say something at the same time, the earlier one comes first. */
  seq: number
  work: TurnWork
  origin: LogOrigin
  agent: AgentConfig
  startedAt: string
  /** Null while it goes on. */
  endedAt: string | null
  /** With which error it ended: the same words at the end of its stream need not be told twice. */
  failure: AgentErrorKind | null
  /** Null when a later turn has its folder. */
  stream: string | null
}

/** `ended`: the turn is over, and `events` come after all that it said. */
export type Entry = { seq: number; at: string } & (
  | { kind: 'began'; turn: Turn }
  | { kind: 'ended'; turn: Turn; events: LogEvent[] }
  | { kind: 'told'; events: LogEvent[] }
)

export interface Chronicle {
  state: RunState
  /** Events in their order, each once. Null when a log has nothing to say about it. */
  take(event: Event): Entry | null
}

export function createChronicle(runDir: string): Chronicle {
  const state = initialState()
  const open = new Map<string, Turn>()
  const byFolder = new Map<string, Turn>()

  const began = (event: Event<'work.started'>, work: TurnWork): Entry => {
    const { stream } = turnFolder(runDir, work.id, state.works[work.id]?.starts ?? 1)
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
    // What was under way in the other run has ended there.
    if (event.type === 'run.forked') for (const turn of open.values()) turn.endedAt = event.at
    const events = logOf(state.run, event, work, (name) => Object.hasOwn(state.tasks, name))
    const turn = id === null ? undefined : open.get(id)
    if (turn !== undefined) return ended(turn, event, events)
    return events.length === 0 ? null : { kind: 'told', seq: event.seq, at: event.at, events }
  }
  return { state, take }
}

function failureOf(event: Event): AgentErrorKind | null {
  if (event.type !== 'work.finished' || event.outcome.kind !== 'turn') return null
  return event.outcome.status === 'error' ? event.outcome.error.kind : null
}
