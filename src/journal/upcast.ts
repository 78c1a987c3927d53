/**
 * Converts lines of a journal into current events: upcasts lines of earlier versions, and rejects lines that this
 * Looper does not know. Every reader of journals uses it.
 */
import { eventTypes } from '../core/evolve.ts'
import { LooperError } from '../model/error.ts'
import { eventVersion, type Event } from '../model/event.ts'
import { describeWork } from './describe-work.ts'
import { nameQuestion } from './name-question.ts'
import { nameResume } from './name-resume.ts'
import type { RawEvent } from './raw-event.ts'
import { renameWords } from './rename-words.ts'

export type { RawEvent } from './raw-event.ts'

/** Converts a line of one version into a line of the next. The number of lines, `seq` and `at` stay the same. */
export type Upcast = (line: RawEvent) => RawEvent

/** In order: the first one takes lines of version 1. Increase `eventVersion` with each one that is added. */
export const upcasts: readonly Upcast[] = [describeWork, nameQuestion, nameResume, renameWords]

const known: ReadonlySet<string> = new Set(eventTypes)

/** For the lines of one journal, in order. Throws JOURNAL_VERSION for a line that this Looper does not know. */
export function createUpcaster(steps: readonly Upcast[] = upcasts): (line: RawEvent) => Event {
  const newest = steps.length + 1
  let writer: string | null = null
  return (line) => {
    if (typeof line['looper'] === 'string') writer = line['looper']
    const version = versionOf(line)
    if (version > newest) throw refusal(line, `has version ${version}, but this Looper reads up to ${newest}`, writer)
    const event = version === newest ? line : steps.slice(version - 1).reduce(step, line)
    if (!known.has(event.type)) throw refusal(line, 'is an event that this Looper does not know', writer)
    return unversioned(event) as unknown as Event
  }
}

/** Events in memory have the newest version. Only `run.started` also has the version as a field of its own. */
function unversioned(event: RawEvent): RawEvent {
  if (event.type !== 'run.started') delete event['version']
  return event
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

/** Written with every event from version 2 on, because a newer Looper may continue the journal of an older one. */
export const versionFields: { version?: number } = eventVersion > 1 ? { version: eventVersion } : {}
