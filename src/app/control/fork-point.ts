/** Finds the event that `--at` names: an event number, the start of a task, a checkpoint, or the last event. */
import { firstNames } from '../../model/and-more.ts'
import { LooperError } from '../../model/error.ts'
import type { Event } from '../../model/event.ts'

/** The seq of the last event that the fork copies. Throws USAGE_* with the possible values. */
export function forkPoint(run: string, events: readonly Event[], point: string): number {
  const last = events.at(-1)?.seq ?? 0
  if (point === 'last') return last
  const hint = forkPointsText(run, events)
  const checkpoint = isTask(events, point) ? undefined : checkpoints(events).get(point.toUpperCase())
  if (checkpoint !== undefined) return checkpoint
  if (!/^\d+$/.test(point)) return beforeTask(run, events, point, hint)
  const seq = Number(point)
  if (seq >= 1 && seq <= last) return seq
  throw new LooperError('USAGE_ARGUMENTS', `There is no event ${point} in ${run}: it has 1 to ${last}.`, { hint })
}

const isTask = (events: readonly Event[], id: string): boolean =>
  events.some((event) => event.type === 'task.added' && event.task.id === id)

function beforeTask(run: string, events: readonly Event[], task: string, hint: string): number {
  const started = events.find((event) => event.type === 'task.started' && event.task === task)
  if (started) return started.seq - 1
  if (isTask(events, task)) {
    throw new LooperError('USAGE_NO_TASK', `${task} of ${run} never started.`, { hint })
  }
  const message = `--at takes an event number, the id of a task or a checkpoint of ${run}, or last, not '${task}'`
  throw new LooperError('USAGE_ARGUMENTS', message, { hint })
}

/** Maps the id of a checkpoint to the seq of its event. */
const checkpoints = (events: readonly Event[]): Map<string, number> =>
  new Map(
    events.flatMap((event) => (event.type === 'checkpoint.made' ? [[event.checkpoint.id, event.seq] as const] : [])),
  )

const mostNamed = 8

/** "There are the events 1 to 90; T001 (event 12), T002 (event 40); C1 (event 30); and last." */
function forkPointsText(run: string, events: readonly Event[]): string {
  const starts = new Map<string, number>()
  for (const event of events)
    if (event.type === 'task.started' && !starts.has(event.task)) starts.set(event.task, event.seq - 1)
  const named = [starts, checkpoints(events)].map(namedText).join('')
  const last = events.at(-1)?.seq ?? 0
  return `There are the events 1 to ${last};${named} and last. \`looper tail ${run} -n all --json\` shows them.`
}

function namedText(points: ReadonlyMap<string, number>): string {
  const texts = [...points].map(([name, seq]) => `${name} (event ${seq})`)
  return texts.length === 0 ? '' : ` ${firstNames(texts, mostNamed)};`
}
