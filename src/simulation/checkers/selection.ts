/** Laws of task selection: only a claimed task starts, in the order of the source, and blocked tasks come last. */
import type { Event } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { Checker, History, Report } from '../checker.ts'
import { isSatisfied } from './journal.ts'
import { isSame } from './together.ts'

/**
 * A run starts only its own tasks: the source's last answer to the claim was yes, and the run never claims a task of
 * another actor.
 */
export const claims: Checker = {
  law: 'claims',
  watch({ steps, scenario }, report) {
    const asked = steps.filter((step) => step.kind === 'claim')
    const hands = steps
      .filter((step) => step.kind === 'hand')
      .filter(({ edit }) => edit.do !== 'rename' && edit.do !== 'rank')
    const isBegunThere = (id: string): boolean =>
      scenario.plan.some((task) => task.id === id && task.status === 'doing')
    /** Another actor has the task, and had it when the last poll began. */
    const isOthers = (id: string, poll: number): boolean => {
      const own = hands.filter(({ task }) => task === id)
      const last = own.findLast(({ durable }) => durable < poll)
      if (own.some(({ durable }) => durable >= poll)) return false
      return last ? last.edit.do === 'take' : isBegunThere(id)
    }
    let poll = 0
    const hasSecondEngine = scenario.faults.some(({ kind }) => kind === 'second-engine')
    const isShaken = hasSecondEngine || steps.some(({ kind }) => kind === 'replaced')
    return {
      after(event) {
        if (event.type === 'work.started' && event.work.kind === 'sync') poll = event.seq
      },
      before(event, state) {
        if (event.type === 'task.reopened' && event.why !== 'asked' && event.why !== 'resumed') {
          const theirs = event.tasks.find((id) => state.tasks[id]?.held === 'taken' && isOthers(id, poll))
          if (theirs !== undefined) report(`${theirs} is opened again while another actor has it`, event.seq)
        }
        for (const id of openedByHand(event)) {
          const isChanged = hands.some(({ task, durable }) => task === id && durable < event.seq)
          if (!isShaken && !isChanged) {
            report(`${id} is opened again, and no person did that`, event.seq)
          }
        }
        // In a race, the first attempt is the one that starts the task.
        if (event.type !== 'task.started' || event.racer !== undefined || state.backlog === null) return
        const { task, seq } = event
        if (state.backlog.claimed !== task)
          report(`${task} begins, and ${state.backlog.claimed ?? 'nothing'} is claimed`, seq)
        const last = asked.findLast((step) => step.task === task && step.durable < seq)
        // In a source that cannot be parsed, no other actor can have taken a task.
        if (last?.ok === false && state.backlog.problems.length === 0) report(`${task} begins, and it was refused`, seq)
      },
    }
  },
}

/** Tasks that a person reopened in the source, according to the run. */
const openedByHand = (event: Event): readonly string[] =>
  event.type === 'task.reopened' && event.why === 'source' ? event.tasks : []

/** When a task was blocked, and how many tasks the run had done by then. */
interface Blocked {
  done: number
  at: string | null
}

/** Minimum time before a blocked task is retried when nothing has changed. */
const cooldownMs = 600_000

/** Order: doing by id, todo by rank and id, blocked last. Derived from the tasks and their history alone. */
export const selection: Checker = {
  law: 'selection',
  watch(_history: History, report: Report) {
    const begun = new Set<string>()
    const blocked = new Map<string, Blocked>()
    let done = 0
    const precedes = (a: TaskState, b: TaskState): number =>
      Number(begun.has(b.id)) - Number(begun.has(a.id))
      || (begun.has(a.id) ? 0 : a.priority - b.priority)
      || byId(a.id, b.id)
    return {
      before(event, state) {
        if (state.backlog === null) return
        if (event.type === 'work.started' && event.work.kind === 'sync' && event.work.claim !== null) {
          // A task waits while another task works on the files that it declares.
          const first = openTasks(state)
            .filter((task) => !isHeldUp(state, task))
            .toSorted(precedes)[0]
          if (first?.id !== event.work.claim)
            report(`${event.work.claim} is chosen before ${first?.id ?? 'nothing'}`, event.seq)
        }
        const isRetry = event.type === 'task.reopened' && (event.why === 'changed' || event.why === 'cooldown')
        if (isRetry) retried(event, state, { blocked, done }, report)
      },
      after(event) {
        if (event.type === 'task.added' && event.was?.status === 'doing') begun.add(event.task.id)
        // The time when it was blocked is unknown.
        if (event.type === 'task.added' && event.was?.status === 'blocked')
          blocked.set(event.task.id, { done, at: null })
        if (event.type !== 'task.finished') return
        begun.delete(event.task)
        if (event.status === 'done' && event.by !== 'source') done++
        if (event.status === 'blocked') blocked.set(event.task, { done, at: event.at })
      },
    }
  },
}

const openTasks = (state: RunState): TaskState[] =>
  Object.values(state.tasks).filter(
    ({ status, dependsOn }) => status === 'todo' && dependsOn.every((id) => isSatisfied(state, id)),
  )

const isHeldUp = ({ active, tasks }: RunState, { files }: TaskState): boolean =>
  active.some((id) => tasks[id]?.files.some((one) => files.some((other) => isSame(one, other))))

/** A blocked task is retried only for a reason, and only when no other task is running or can start. */
function retried(
  { tasks: [id = ''], why, at, seq }: Event<'task.reopened'>,
  state: RunState,
  { blocked, done }: { blocked: ReadonlyMap<string, Blocked>; done: number },
  report: Report,
): void {
  const when = blocked.get(id)
  const rested = typeof when?.at === 'string' && Date.parse(at) - Date.parse(when.at) >= cooldownMs
  const news = when !== undefined && done > when.done
  if (why === 'changed' && !news) report(`${id} is tried again although nothing has changed`, seq)
  if (why === 'cooldown' && !rested) report(`${id} is tried again although it has not rested`, seq)
  const open = openTasks(state)
  if (open.length > 0) report(`${id} is tried again before ${open[0]?.id}`, seq)
  if (state.active.length > 0) report(`${id} is tried again while ${state.active[0]} is under way`, seq)
}

/** Compares by number where both ids have one; implemented differently from the program. */
export function byId(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const [x, y] = [one[at] ?? '', other[at] ?? '']
    const order = isNumber(x) && isNumber(y) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0
    if (order !== 0) return order
  }
  return one.length - other.length || (a < b ? -1 : a > b ? 1 : 0)
}

const partsOf = (id: string): string[] => id.match(/\d+|\D/g) ?? []
const isNumber = (text: string): boolean => /^\d+$/.test(text)
