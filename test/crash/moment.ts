/** When Looper is killed: at a step that changes something on disk, or some time after its start. */
import type { Kill } from '../kit/faults.ts'

export type Moment = Kill | { ms: number }

/** As `--at` takes it: `37:after`, `12:during`, `9:before:lasting`, `240ms`. */
export const momentText = (moment: Moment): string =>
  'ms' in moment ? `${moment.ms}ms` : `${moment.at}:${moment.when}${moment.of === undefined ? '' : `:${moment.of}`}`

/** Throws when it is none. */
export function parseMoment(text: string): Moment {
  const [, ms] = /^(\d+)ms$/.exec(text) ?? []
  if (ms !== undefined) return { ms: Number(ms) }
  const found = /^(\d+)(?::(before|during|after)(:lasting)?)?$/.exec(text)
  if (found === null)
    throw new Error(
      `${JSON.stringify(text)} is no moment: say 37:after, 37:before, 12:during, 9:after:lasting or 240ms`,
    )
  const [, at, when = 'after', of] = found
  return { at: Number(at), when: when as Kill['when'], ...(of === undefined ? {} : { of: 'lasting' as const }) }
}
