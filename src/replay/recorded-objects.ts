/** Lists the trees and commits that a journal names, with the event that names each first. */
import type { Event } from '../model/event.ts'
import type { Outcome } from '../model/work.ts'
import type { RecordedObject } from '../views/history/replay-text.ts'

const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

export function recordedObjects(events: readonly Event[]): RecordedObject[] {
  const found = new Map<string, number>()
  for (const event of events) {
    for (const id of idsIn(event)) if (id !== null && objectId.test(id) && !found.has(id)) found.set(id, event.seq)
  }
  return [...found].map(([id, seq]) => ({ id, seq }))
}

function idsIn(event: Event): (string | null)[] {
  switch (event.type) {
    case 'run.started':
      return [event.base.commit]
    case 'work.finished':
      return idsOf(event.outcome)
    default:
      return []
  }
}

function idsOf(outcome: Outcome): (string | null)[] {
  switch (outcome.kind) {
    case 'prepare':
      return [outcome.base, outcome.tree]
    case 'inspect':
      return [outcome.tree]
    case 'integrate':
      if (outcome.status === 'landed') return [outcome.commit]
      if (outcome.status === 'merged') return [outcome.commit, outcome.tree, outcome.onto]
      return outcome.status === 'conflict' ? [outcome.onto, outcome.tree, outcome.theirs ?? null] : []
    case 'overlay':
      return [outcome.tree]
    default:
      return []
  }
}
