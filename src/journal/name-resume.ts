/**
 * The step from version 3 to 4: in version 3, only the hint of a pause said how the run is resumed. That becomes a
 * field of the reason.
 */
import { isObject } from '../model/object.ts'
import type { Resume } from '../model/pause.ts'
import type { RawEvent } from './raw-event.ts'

/** Leads that name nothing to fix, in every form that was ever written. */
const plainLeads: ReadonlySet<string> = new Set(['', 'Go on', 'Go on later', 'Raise it', 'Raise it and go on'])

export function nameResume(line: RawEvent): RawEvent {
  const { type, reason } = line
  if (type !== 'run.paused' || !isObject(reason) || reason['kind'] === 'question') return line
  const resume = typeof reason['hint'] === 'string' ? readHint(reason['hint']) : null
  return resume === null ? line : { ...line, reason: { ...reason, resume } }
}

/** Null for a hint that does not resume the run. */
function readHint(hint: string): Resume | null {
  const [, before, options = ''] = /^([^]*)\blooper resume\b([^]*)$/.exec(hint) ?? []
  if (before === undefined) return null
  const lead = before.replace(/(?:, (?:then|and))?(?:: )?$/, '')
  return { fix: plainLeads.has(lead) ? null : lead, isLater: lead === 'Go on later', options: options.trim() }
}
