/**
 * Facts of a journal that need the turn of an agent as evidence, and the answers that are this evidence. The process
 * that resumes or applies a run compares these answers with the folders of their turns.
 */
import type { Event } from '../../model/event.ts'
import { writes } from '../../model/purposes.ts'
import { resultIn } from '../../model/recorded-result.ts'
import type { PlannerResult } from '../../model/results.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { Subject } from '../../model/verdict.ts'
import type { TurnWork } from '../../model/work.ts'
import {
  attemptId,
  gateId,
  isBelow,
  isPlan,
  ownerOf,
  planId,
  questionOf,
  stepId,
  waveOwner,
} from '../../model/work-id.ts'
import { unprovenEnd } from './completion-claim.ts'
import { judge } from '../policies/escalation.ts'

/** The recorded answer of a turn. */
export interface TurnClaim {
  work: TurnWork
  starts: number
  result: unknown
  /** The number of the event that records it. */
  seq: number
  /** The task is done. It is enough that the turn ran, because its change was checked and landed. */
  landed: boolean
}

/** A fact without an answer that supports it. `id` names the work to do again. */
export interface Unbacked {
  id: string
  seq: number
  why: string
}

export interface TurnClaims {
  /** Must be called with every event in order; `state` is the state after the event. */
  add(event: Event, state: RunState): void
  /** Answers that still affect the run. */
  answers(state: RunState): TurnClaim[]
  unbacked(state: RunState): Unbacked[]
}

type Answers = Map<string, TurnClaim>

export function createTurnClaims(): TurnClaims {
  const underWay = new Map<string, Pick<TurnClaim, 'work' | 'starts'>>()
  /** The start whose answer a later start of the same turn reuses. */
  const unwrapped = new Map<string, number>()
  const answers = new Map<string, Answers>()
  let isAborting = false
  let unbacked: (Unbacked & { isOpen(state: RunState): boolean })[] = []
  const of = (owner: string): TurnClaim[] => [...(answers.get(owner)?.values() ?? [])]
  const answerTo = (question: string): TurnClaim | undefined =>
    of(ownerOf(question)).findLast(({ work: { slot } }) => slot === question)

  function finish({ id, outcome, seq }: Event<'work.finished'>): void {
    const begun = underWay.get(id)
    if (!begun) return
    underWay.delete(id)
    // The next start of this turn runs no agent: it reuses the answer in the folder of this start.
    if (outcome.kind === 'failure' && outcome.answer) unwrapped.set(id, begun.starts)
    else unwrapped.delete(id)
    if (outcome.kind !== 'turn') return
    const known: Answers = answers.get(ownerOf(id)) ?? new Map()
    // Deleted first, so that a repeated answer becomes the newest entry of the map.
    known.delete(id)
    if (outcome.status === 'ok') known.set(id, { ...begun, result: outcome.result, seq, landed: false })
    answers.set(ownerOf(id), known)
  }

  function lacks(id: string, seq: number, why: string, isOpen: (state: RunState) => boolean): void {
    unbacked.push({ id, seq, why, isOpen })
  }

  function judged({ subject, verdict, seq }: Event<'verdict.given'>, { config }: RunState): void {
    const question = questionFor(subject)
    const answer = answerTo(question)
    const review = answer === undefined ? null : resultIn('supervisor', answer.work.purpose, answer.result)
    const isSaid = review !== null && judge(review, config.thresholds).approved
    if (verdict.approved && !isSaid) {
      lacks(question, seq, 'no turn gave the verdict that is recorded', (state) => stillCounts(state, subject))
    }
  }

  function closed({ task, status, by, seq }: Event<'task.finished'>, { backlog }: RunState): void {
    const own = of(task).findLast(({ work }) => writes(work.purpose))
    answers.delete(task)
    if (status !== 'done') return
    if (by !== undefined && backlog !== null) return
    const isDone = ({ tasks }: RunState): boolean => tasks[task]?.status === 'done'
    if (own === undefined)
      return lacks(stepId(task, 'done'), seq, `no turn did ${task}, which is recorded as done`, isDone)
    answers.set(task, new Map([[own.work.id, { ...own, result: null, landed: true }]]))
  }

  function accepted({ revision, seq }: Event<'plan.accepted'>, { stage }: RunState): void {
    const question = planId(revision)
    if (stage !== 'plan' || answerTo(question)) return
    lacks(question, seq, 'no turn made the plan that is recorded as accepted', () => true)
  }

  function ended({ status, seq }: Event<'run.ended'>, state: RunState): void {
    const why = status === 'completed' ? unprovenEnd(state) : status === 'aborted' && !isAborting ? unasked : null
    if (why !== null) lacks('run/ended', seq, why, (later) => later.status === status)
  }

  function add(event: Event, state: RunState): void {
    switch (event.type) {
      case 'run.started':
        if (event.seq > 1) lacks('run/started', event.seq, 'the run is recorded as started twice', () => true)
        return
      case 'run.forked':
        // All earlier events, and their turns, belong to another run.
        answers.clear()
        unbacked = []
        return
      case 'run.ended':
        return ended(event, state)
      case 'stop.requested':
        isAborting ||= event.how === 'abort'
        return
      case 'run.resumed':
        isAborting = false
        return
      case 'work.started': {
        const { work } = event
        const starts = unwrapped.get(work.id) ?? state.works[work.id]?.starts ?? 1
        if (work.kind === 'turn') underWay.set(work.id, { work, starts })
        return
      }
      case 'work.lost':
        underWay.delete(event.id)
        if (event.revokes === undefined) return
        answers.get(ownerOf(event.id))?.delete(event.id)
        unbacked = unbacked.filter(({ id }) => id !== event.id)
        return
      case 'work.finished':
        return finish(event)
      case 'verdict.given':
        return judged(event, state)
      case 'task.finished':
        return closed(event, state)
      case 'plan.accepted':
        return accepted(event, state)
      case 'task.added':
        if (!isPlanned(event.origin) || holds(answerTo(event.origin), event.task)) return
        return lacks(event.origin, event.seq, `no turn planned the task ${event.task.id}`, () => true)
      default:
    }
  }

  return {
    add,
    answers: (state) =>
      [...answers.keys()].flatMap((owner) => of(owner).filter((claim) => decides(state, owner, claim))),
    unbacked: (state) => [
      ...unbacked.filter(({ isOpen }) => isOpen(state)).map(({ id, seq, why }) => ({ id, seq, why })),
      ...dropped(state, answerTo(planId(state.plan.revision))),
    ],
  }
}

const unasked = 'the run is recorded as aborted, but no request to abort it is recorded'

const isPlanned = (origin: string): boolean => isPlan(origin) && questionOf(origin) === origin

/** The id of the question whose answer is the verdict. */
function questionFor(subject: Subject): string {
  switch (subject.kind) {
    case 'plan':
      return stepId(planId(subject.revision), 'review')
    case 'task':
      return stepId(attemptId(subject.task, subject.attempt), 'verify', subject.round)
    case 'wave':
      return stepId(waveOwner(subject.wave), 'review')
    case 'goal':
      return stepId(gateId(subject.round), 'verify')
  }
}

function stillCounts(state: RunState, subject: Subject): boolean {
  switch (subject.kind) {
    case 'plan':
      return subject.revision === state.plan.revision
    case 'wave':
      return subject.wave === state.waveReviewed
    case 'goal':
      return subject.round === state.gate.round && state.gate.verdict !== null
    case 'task': {
      const task = state.tasks[subject.task]
      return task?.attempts === subject.attempt && (task.status === 'done' || task.attempt !== null)
    }
  }
}

/** Whether the answer still decides what follows, or decided something that the run builds on. */
function decides(state: RunState, owner: string, { work, landed }: TurnClaim): boolean {
  const { id, slot } = work
  const task = state.tasks[owner]
  if (task) return landed ? task.status === 'done' : isOfAttempt(task, work)
  const plan = planId(state.plan.revision)
  if (owner === 'plan') return slot === plan || isBelow(slot, plan)
  if (owner === 'gate') return isBelow(id, gateId(state.gate.round)) && state.gate.verdict !== null
  return Object.hasOwn(state.ledger[owner] ?? {}, id)
}

/** The turn that splits a task belongs to none of its attempts. */
const isOfAttempt = ({ attempt, racers = [] }: TaskState, { purpose, attempt: n }: TurnWork): boolean =>
  purpose !== 'split' && [attempt, ...racers].some((each) => each?.n === n)

type Words = Pick<TaskState, 'title' | 'description' | 'criteria' | 'checks'>

/** Whether the plan contains this task under any id, with at least its permissions. */
const holds = (answer: TurnClaim | undefined, task: Words & Pick<TaskState, 'allows'>): boolean =>
  tasksOf(answer).some(
    (planned) =>
      wordsOf(planned) === wordsOf(task) && (task.allows ?? []).every((entry) => planned.allows?.includes(entry)),
  )

const tasksOf = (answer: TurnClaim | undefined): PlannerResult['tasks'] =>
  (answer === undefined ? null : resultIn('planner', answer.work.purpose, answer.result))?.tasks ?? []

const wordsOf = ({ title, description, criteria, checks }: Words): string =>
  JSON.stringify([title, description, criteria, checks])

/** Tasks of the accepted plan that were never added, although the run has left the plan stage. */
function dropped({ plan, stage, tasks, order }: RunState, answer: TurnClaim | undefined): Unbacked[] {
  if (!plan.accepted || stage === 'plan' || answer === undefined) return []
  const planned = order.flatMap((id) => tasks[id] ?? []).filter(({ origin }) => isPlanned(origin))
  const first = tasksOf(answer).find((task) => !planned.some((known) => wordsOf(known) === wordsOf(task)))
  if (!first) return []
  return [
    { id: answer.work.id, seq: answer.seq, why: `the planned task ${JSON.stringify(first.title)} is not in the run` },
  ]
}
