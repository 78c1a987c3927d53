/**
 * A race: several attempts at one task in parallel, by different agents or tiers. The best one lands; the others are
 * kept aside.
 */
import { LooperError } from '../../../model/error.ts'
import { writes } from '../../../model/purposes.ts'
import type { AttemptState, RunState, TaskState } from '../../../model/state.ts'
import type { Work } from '../../../model/work.ts'
import { turnsAreUp } from '../../policies/budget.ts'
import { record, type Proposal } from '../../proposal.ts'
import { attemptsRunning } from '../../tasks/attempts-in-flight.ts'
import { notYet, type Step } from '../../step.ts'
import { approach, decideAttempt, type Ready } from './attempt.ts'
import type { LandingQueue } from './landing-queue.ts'

/** How many attempts start at once: by complexity, or more after a failure, limited by free slots and attempts left. */
export function raceWidth(state: RunState, task: TaskState): number {
  const { race, parallel } = state.config
  const wanted = Math.max(race[task.complexity] ?? 1, task.attempts > 0 ? (race['retry'] ?? 1) : 1)
  return Math.max(1, Math.min(wanted, parallel - attemptsRunning(state), task.attemptsLeft))
}

/**
 * Each attempt proceeds as if it were alone. When one could land, the others may end what is under way but start no
 * further coder turns.
 */
export function decideRace(state: RunState, task: TaskState, attempts: readonly AttemptState[]): Proposal {
  const racers = attempts.map((attempt) => ({ attempt, at: alone(task, attempt, approach(state, task, attempt)) }))
  const ready = racers.flatMap(({ at }) => (at.status === 'done' ? [at.outcome] : []))
  const running = racers.flatMap(({ attempt, at }) =>
    at.status === 'not-yet' ? [{ attempt, proposal: at.proposal }] : [],
  )
  const going =
    ready.length === 0 ? running : running.flatMap(({ attempt, proposal }) => rest(state, attempt, proposal))
  const facts = going.find(({ proposal }) => proposal.facts.length > 0)
  if (facts) return facts.proposal
  const work = going.flatMap(({ proposal }) => proposal.work)
  if (work.length > 0) return { facts: [], work }
  const pause = going.find(({ proposal }) => proposal.pause)?.proposal.pause
  if (pause) return { facts: [], work, pause }
  const [winner] = ready.toSorted(better)
  if (!winner) throw new LooperError('BUG_INVARIANT', `No attempt of the race at ${task.id} can continue`)
  const { n } = winner.standing.attempt
  const losers = attempts.map((attempt) => attempt.n).filter((other) => other !== n)
  return record({ type: 'race.decided', task: task.id, winner: n, losers })
}

/** An attempt that is blocked or has a question leaves the race; the others may be able to continue. */
function alone(task: TaskState, { n }: AttemptState, at: Step<Ready>): Step<Ready> {
  if (at.status === 'done') return at
  const parked = at.proposal.facts.find(({ type }) => type === 'task.finished' || type === 'question.asked')
  if (!parked) return at
  const why =
    parked.type === 'task.finished' ? parked.reason : parked.type === 'question.asked' ? parked.question.text : null
  const summary = `the agent did not continue: ${why ?? 'it is blocked'}`
  return notYet(
    record({
      type: 'attempt.failed',
      task: task.id,
      attempt: n,
      next: 'none',
      tree: null,
      failure: { kind: 'agent', error: null, summary, detail: summary, fingerprint: null },
    }),
  )
}

/**
 * The remaining steps of an attempt's first round without a fix: it may still become the better one. Its waits and
 * pauses do not delay the race.
 */
function rest(
  state: RunState,
  attempt: AttemptState,
  { facts, work, pause }: Proposal,
): { attempt: AttemptState; proposal: Proposal }[] {
  if (attempt.round > 0 || pause || facts.some(({ type }) => type === 'attempt.fixing')) return []
  const left = work.filter((item) => item.kind !== 'wait' && (state.works[item.id] || mayBegin(state, item)))
  return facts.length + left.length > 0 ? [{ attempt, proposal: { facts, work: left } }] : []
}

/** Whether the work may start: anything but a further coder turn. A judge's turn is allowed within the limits. */
const mayBegin = (state: RunState, work: Work): boolean =>
  work.kind !== 'turn' || (!writes(work.purpose) && turnsAreUp(state, 0) === null)

/** All have passed the checks. The higher score wins, then the smaller change, then the earlier attempt. */
const better = (a: Ready, b: Ready): number =>
  (b.standing.attempt.verdict?.score ?? 0) - (a.standing.attempt.verdict?.score ?? 0)
  || (a.standing.size ?? 0) - (b.standing.size ?? 0)
  || a.standing.attempt.n - b.standing.attempt.n

export const decideAttempts = (
  state: RunState,
  task: TaskState,
  attempt: AttemptState,
  queue: LandingQueue,
): Proposal =>
  task.racers && task.racers.length > 0
    ? decideRace(state, task, [attempt, ...task.racers])
    : decideAttempt(state, task, attempt, queue)
