/** Laws between a run and its task source: people's edits stay, and the source matches the run when it rests. */
import type { Event } from '../../model/event.ts'
import type { SourceTask } from '../../model/source.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { TaskStatus } from '../../model/task.ts'
import type { Checker, History, Report } from '../checker.ts'
import type { Step } from '../witness.ts'

type Hand = Extract<Step, { kind: 'hand' }>
type Settled = Extract<Step, { kind: 'settled' }>

/** A person's edit is still there at the end, unless an event of the run explains the change. */
export const handEdits: Checker = {
  law: 'hand-edits',
  watch(history, report) {
    const { events, scenario } = history
    return {
      end() {
        if (scenario.source === undefined) return
        for (const hands of byTask(history).values()) judge(hands, history.sourceTasks, events, report)
      },
    }
  },
}

/** The edits by task, without those that were overwritten when the whole source was replaced. */
function byTask({ steps }: History): Map<string, Hand[]> {
  const replaced = steps.findLastIndex(({ kind }) => kind === 'replaced')
  const found = new Map<string, Hand[]>()
  for (const step of steps.slice(replaced + 1)) {
    if (step.kind === 'hand' && step.task !== null) found.set(step.task, [...(found.get(step.task) ?? []), step])
  }
  return found
}

function judge(hands: readonly Hand[], there: readonly SourceTask[], events: readonly Event[], report: Report): void {
  const last = hands.at(-1)
  if (!last) return
  const { task: id, now: wanted } = last
  const task = there.find((each) => each.id === id)
  if (wanted === null) return task ? report(`${id} was removed by hand, and is there again`) : undefined
  if (!task) return report(`${id} stood there as a person had it, and is gone`)
  for (const key of ['title', 'priority', 'dependsOn'] as const) {
    if (!hands.some(({ edit }) => wrote[edit.do].includes(key))) continue
    const [is, was] = [wordsOf(task[key], there), wordsOf(wanted[key], there)]
    if (is !== was) report(`${key} of ${id} is ${is}, and a person had ${was}`)
  }
  const status = hands.findLast(({ edit }) => wrote[edit.do].includes('status'))
  if (!status?.now || status.now.status === task.status) return
  // A running task that is put back to todo continues, and the source is updated.
  if (status.was === 'doing' && status.now.status === 'todo') return
  const isSaid = events.some((event) => event.seq > status.durable && isAbout(event, id ?? ''))
  if (!isSaid) report(`a person had ${id} ${status.now.status}, and it is ${task.status}`)
}

/** A dependency on a missing task is ignored. */
const wordsOf = (value: string | number | string[], there: readonly SourceTask[]): string =>
  JSON.stringify(Array.isArray(value) ? value.filter((id) => there.some((task) => task.id === id)) : value)

const wrote: Record<Hand['edit']['do'], readonly (keyof SourceTask)[]> = {
  add: ['title', 'priority', 'dependsOn', 'status'],
  rename: ['title'],
  rank: ['priority'],
  reopen: ['status'],
  close: ['status'],
  take: ['status'],
  remove: [],
  break: [],
  repair: ['dependsOn'],
}

/** Whether the event is the run's own action on the task. */
function isAbout(event: Event, id: string): boolean {
  if (event.type === 'task.started') return event.task === id
  if (event.type === 'task.finished') return event.task === id && event.by !== 'source'
  const claim = event.type === 'work.finished' && event.outcome.kind === 'sync' ? event.outcome.claim : null
  if (claim !== null) return claim.ok && claim.task === id
  return event.type === 'task.reopened' && event.why !== 'source' && event.tasks.includes(id)
}

/** Why a run without tasks ends. */
const forWant = /backlog is still|ran nothing|every task was closed/

/** Whenever the run rests, each task has the same state in the run and in the source. */
export const mirrored: Checker = {
  law: 'mirrored',
  watch(history, report) {
    const settled = new Map(
      history.steps.flatMap((step) => (step.kind === 'settled' ? [[step.seq, step] as const] : [])),
    )
    const begun = new Map<string, number>()
    /** The seq up to which the run knows all edits. */
    let knownUntil = 0
    let seenUntil = 0
    let begunAt = 0
    let polledAt = 0
    return {
      before(event, state) {
        if ((event.type === 'run.resumed' && state.status !== 'running') || event.type === 'loop.finished')
          begunAt = event.seq
        const isForWant = event.type === 'run.ended' && forWant.test(event.reason ?? '')
        if (isForWant && polledAt < begunAt) report(`ended without a poll: ${event.reason}`, event.seq)
      },
      after(event, state) {
        if (event.type === 'work.started' && event.work.kind === 'sync') begun.set(event.work.id, event.seq)
        const isPoll =
          event.type === 'work.finished' && event.outcome.kind === 'sync' && event.outcome.problems.length === 0
        if (isPoll) seenUntil = begun.get(event.id) ?? seenUntil
        if (event.type === 'source.polled') {
          knownUntil = seenUntil
          polledAt = event.seq
        }
        const step = settled.get(event.seq)
        if (step && knownUntil > 0) compare(step, state, handsBefore(history, step), knownUntil, report)
      },
    }
  },
}

/** The last edit of each task. */
const handsBefore = ({ steps }: History, settled: Settled): Map<string, Hand> =>
  new Map(
    steps
      .slice(0, steps.indexOf(settled))
      .flatMap((step) => (step.kind === 'hand' && step.task !== null ? [[step.task, step] as const] : [])),
  )

function compare(
  { tasks, others, seq }: Settled,
  state: RunState,
  hands: Map<string, Hand>,
  knownUntil: number,
  report: Report,
): void {
  const there = new Set(tasks.map(({ id }) => id))
  const isWriting = Object.values(state.ledger['look'] ?? {}).some(({ outcome }) => outcome.kind === 'sync')
  /** The task was edited after the run's last poll began. */
  const isNews = (id: string): boolean => (hands.get(id)?.durable ?? -1) >= knownUntil
  for (const task of tasks) {
    if (isNews(task.id) || others.includes(task.id)) continue
    const mine = state.tasks[task.id]
    // A run that is stopped while it rewrites the source learns of the tasks at its next poll.
    if (!mine && isWriting) continue
    if (!mine) report(`${task.id} is there, and the run does not know it`, seq)
    else
      for (const what of differences(task, mine, { state, tasks, hand: hands.get(task.id) }))
        report(`${task.id}: ${what}`, seq)
  }
  for (const { id, origin, status } of Object.values(state.tasks)) {
    if (there.has(id) || hands.get(id)?.now === null || origin === 'source' || status === 'cancelled') continue
    report(`${id} was found by the run, and is not there`, seq)
  }
}

interface Setting {
  state: RunState
  tasks: readonly SourceTask[]
  hand: Hand | undefined
}

function differences(task: SourceTask, mine: TaskState, { state, tasks, hand }: Setting): string[] {
  const words = (['title', 'priority', 'dependsOn'] as const).filter(
    (key) => wordsOf(task[key], tasks) !== wordsOf(mine[key], tasks),
  )
  const found = words.map((key) => `${key} is ${JSON.stringify(mine[key])} here and ${JSON.stringify(task[key])} there`)
  // Between two attempts, and while the run only pauses, the task stays assigned to the run.
  const isKept = state.status === 'paused' && mine.status === 'todo' && task.status === 'doing'
  // The run does not abandon a running task because it was put back to todo.
  const isCarriedOn = mine.status === 'doing' && task.status === 'todo' && hand?.now?.status === 'todo'
  // A task that is closed in a shared source stays closed, and a request to reopen it is refused.
  const isRefused = mine.held !== undefined && (task.status === 'done' || task.status === 'cancelled')
  if (task.status === statusThere[mine.status] || isKept || isCarriedOn || isRefused) return found
  return [...found, `${mine.status} here and ${task.status} there`]
}

const statusThere: Record<TaskStatus, SourceTask['status']> = {
  todo: 'todo',
  doing: 'doing',
  done: 'done',
  failed: 'blocked',
  blocked: 'blocked',
  split: 'doing',
  cancelled: 'cancelled',
}
