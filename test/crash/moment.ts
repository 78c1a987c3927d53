/** When Looper is killed: at a step that changes something on disk, or some time after its start. */
import type { Kill } from '../kit/faults.ts'

export type Moment = Kill | { ms: number }

/** As `--at` takes it: `37:after`, `12:during`, `240ms`. */
export const momentText = (moment: Moment): string => ('ms' in moment ? `${moment.ms}ms` : `${moment.at}:${moment.when}`)

/** Throws when it is none. */
export function parseMoment(text: string): Moment {
  const found = /^(\d+)(?:(ms)|(?::(before|during|after))?)$/.exec(text)
  if (found === null) throw new Error(`${JSON.stringify(text)} is no moment: say 37:after, 37:before, 12:during or 240ms`)
  const [, number, ms, when] = found
  return ms === undefined ? { at: Number(number), when: (when ?? 'after') as Kill['when'] } : { ms: Number(number) }
}
