/** Which event a person means by `--at`: its number, the task that begins there, or the last one. */
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'

/** The seq of the last event that a fork takes over. Throws USAGE_*, saying what there is. */
export function forkPlace(run: string, events: readonly Event[], place: string): number {
  const last = events.at(-1)?.seq ?? 0
  if (place === 'last') return last
  if (!/^\d+$/.test(place)) return beforeTask(run, events, place)
  const seq = Number(place)
  if (seq >= 1 && seq <= last) return seq
  throw new LooperError('USAGE_ARGUMENTS', `There is no event ${place} in ${run}: it has 1 to ${last}.`, { hint: `\`looper tail ${run} -n all --json\` shows them.` })
}

function beforeTask(run: string, events: readonly Event[], task: string): number {
  const started = events.find((event) => event.type === 'task.started' && event.task === task)
  if (started) return started.seq - 1
  if (events.some((event) => event.type === 'task.added' && event.task.id === task)) {
    throw new LooperError('USAGE_NO_TASK', `${task} of ${run} never started.`, { hint: 'Fork at the last event: --at last' })
  }
  throw new LooperError('USAGE_ARGUMENTS', `--at takes the number of an event, the id of a task of ${run}, or last, not '${task}'`)
}
