/**
 * The seam between lines of a journal and today's events: lines of earlier versions are brought up to date, and lines
 * that this Looper does not know are refused. Every reader of journals goes through it.
 */
import { eventTypes } from '../core/evolve.ts'
import { LooperError } from '../model/error.ts'
import { eventVersion, type Event } from '../model/event.ts'

/** A line with a valid frame. Its version is its field `version`; a line without one has version 1. */
export interface RawEvent {
  seq: number
  at: string
  type: string
  [field: string]: unknown
}

/** Turns a line of one version into a line of the next. One line stays one line, with its `seq` and `at`. */
export type Upcast = (line: RawEvent) => RawEvent

/** In order: the first one takes lines of version 1. When one is added, `eventVersion` is raised with it. */
export const upcasts: readonly Upcast[] = []

const known: ReadonlySet<string> = new Set(eventTypes)

/** For the lines of one journal, in their order. Throws JOURNAL_VERSION for a line that this Looper does not know. */
export function createUpcaster(steps: readonly Upcast[] = upcasts): (line: RawEvent) => Event {
  const newest = steps.length + 1
  let writer: string | null = null
  return (line) => {
    if (typeof line['looper'] === 'string') writer = line['looper']
    const version = versionOf(line)
    if (version > newest) throw refusal(line, `has version ${version}, but this Looper reads up to ${newest}`, writer)
    const event = version === newest ? line : { ...steps.slice(version - 1).reduce(step, line), version: newest }
    if (!known.has(event.type)) throw refusal(line, 'is an event that this Looper does not know', writer)
    return event as unknown as Event
  }
}

const step = (line: RawEvent, upcast: Upcast): RawEvent => upcast(line)

const versionOf = ({ version }: RawEvent): number =>
  typeof version === 'number' && Number.isSafeInteger(version) && version > 1 ? version : 1

function refusal({ seq, type, version }: RawEvent, why: string, writer: string | null): LooperError {
  const which = writer === null ? 'the newest Looper' : `Looper ${writer} or newer`
  return new LooperError('JOURNAL_VERSION', `Event ${seq} (${type}) ${why}: install ${which} to read this run`, {
    details: { seq, type, version: version ?? 1, writer },
  })
}

/** Written with every event, from version 2 on: a newer Looper may go on with a journal that an older one began. */
export const versionFields: { version?: number } = eventVersion > 1 ? { version: eventVersion } : {}
