/** The law of caps: every loop of a run has a limit. */
import { errorPolicy } from '../../model/agent-error.ts'
import type { Event } from '../../model/event.ts'
import { maxPassesOf } from '../../model/loop.ts'
import type { RunState } from '../../model/state.ts'
import { isRetryWait, type Outcome, type WaitWork, type Work } from '../../model/work.ts'
import { isFromCommand, isFromPlan, isTry, ownerOf, questionOf } from '../../model/work-id.ts'
import { setFields } from '../../model/set-fields.ts'
import type { Checker } from '../checker.ts'
import { attemptsAt } from './slots.ts'

/**
 * Every loop is bounded: fixes, attempts, splits, goal iterations, revisions, waves, repairs, retries and waits; in a
 * backlog, reviews and rewrites of the backlog; in a pipeline, passes and consecutive failed or blocked passes.
 */
export const caps: Checker = {
  law: 'caps',
  watch(_history, report) {
    const within = (what: string, used: number, limit: number | null, seq: number): void => {
      if (limit !== null && used > limit) report(`${what}: ${used} of ${limit}`, seq)
    }
    const granted = new Map<string, number>()
    const used = new Map<string, number>()
    const repairs = new Map<string, number>()
    const count = (map: Map<string, number>, key: string, more = 1): number => {
      map.set(key, (map.get(key) ?? 0) + more)
      return map.get(key) ?? 0
    }
    const grantAgain = (id: string): void =>
      void granted.set(id, Math.max(granted.get(id) ?? 0, (used.get(id) ?? 0) + 1))
    let goalIterations = 0
    let waitedMs = 0
    let writings = 0
    let newTasks = 0
    const row = { passes: 0, failed: 0, blocked: 0 }
    const passOver = ({ status, stage, name, seq }: Event<'iteration.finished'>, { pipeline }: RunState): void => {
      const known = pipeline?.stages[stage]
      setFields(row, {
        passes: row.passes + (status === 'failed' ? 0 : 1),
        failed: status === 'failed' ? row.failed + 1 : 0,
        blocked: status === 'blocked' ? row.blocked + 1 : status === 'failed' ? row.blocked : 0,
      })
      within(`passes of ${name}`, row.passes, known ? maxPassesOf(known) : 0, seq)
      within(`failed passes of ${name} in a row`, row.failed, mostInARow.failed, seq)
      within(`blocked passes of ${name} in a row`, row.blocked, mostInARow.blocked, seq)
    }
    return {
      before(event, state) {
        const { limits } = state.config
        const { seq } = event
        waitedMs += waitedBefore(event, state)
        switch (event.type) {
          case 'run.resumed':
            // A person's resume resets all limits; a restart after a crash resets none.
            if (state.status === 'running') return
            goalIterations = 0
            waitedMs = 0
            writings = 0
            setFields(row, { failed: 0, blocked: 0 })
            repairs.clear()
            return
          case 'backlog.reviewed':
            return within('reviews', event.round, limits.goalIterations, seq)
          case 'iteration.finished':
            return passOver(event, state)
          case 'loop.finished':
            return setFields(row, { passes: 0, failed: 0, blocked: 0 })
          case 'run.ended':
            for (const id of state.active) count(granted, id)
            return
          case 'attempt.fixing':
            return within(`fixes of ${event.task}`, event.fix, limits.fixCycles, seq)
          case 'task.added':
            granted.set(event.task.id, limits.attempts ?? Infinity)
            if (isByAgent(event)) within('tasks added by agents', ++newTasks, limits.newTasks ?? null, seq)
            return within(`depth of ${event.task.id}`, event.task.depth, limits.splitDepth, seq)
          case 'task.reopened':
            if (event.why === 'goal-iteration') within('goal iterations', ++goalIterations, limits.goalIterations, seq)
            for (const id of event.tasks) count(granted, id, grantOf(event.why, limits.attempts))
            return
          case 'attempt.failed':
            // A conflict is not the task's fault, so the task gets one more attempt.
            if (event.failure.kind === 'conflict' && event.next === 'retry') count(granted, event.task)
            return
          case 'task.undone':
            return grantAgain(event.task)
          case 'rolled.back':
            // Each undone task gets one more attempt; running attempts are cancelled and do not count.
            event.tasks.forEach(grantAgain)
            for (const id of state.active) count(used, id, -attemptsAt(state, id))
            return
          case 'task.started':
            within('waves', event.wave, limits.iterations, seq)
            return within(`attempts at ${event.task}`, count(used, event.task), granted.get(event.task) ?? 0, seq)
          case 'plan.rejected':
            return within('plan revisions', event.revision + 1, limits.planRevisions, seq)
          case 'work.started':
            if (isAnswered(event.work, state)) report(`${event.work.id} asks what was answered`, seq)
            if (!isLifting(event.work) || limits.waitMinutes === null) return
            return within(
              'ms of waiting',
              waitedMs + Math.max(0, msTo(event.work.until, event.at)),
              limits.waitMinutes * 60_000,
              seq,
            )
          case 'work.finished': {
            const work = state.works[event.id]?.work
            if (work?.kind === 'sync' && work.write !== null && event.outcome.kind === 'sync') writings++
            within('writings of the backlog', writings, limits.planRevisions, seq)
            const kind = (['repair', 'retry'] as const).find((each) => isTry(event.id, each))
            if (kind === undefined || !state.works[event.id] || isPutOff(event.outcome)) return
            within(`${kind} turns of ${event.id}`, count(repairs, event.id), 1, seq)
            return
          }
          default:
        }
      },
    }
  },
}

/** Whether an agent discovered the task: it was neither planned, nor split off, nor added by a person. */
const isByAgent = ({ task, origin }: Event<'task.added'>): boolean =>
  task.parent === null && !isFromPlan(origin) && !isFromCommand(origin) && origin !== 'scaffold' && origin !== 'source'

/**
 * Waits for a limit to be lifted. Other waits end at the run's time limit or after a delay that the user configured.
 */
const isLifting = (work: Work): work is WaitWork => work.kind === 'wait' && isRetryWait(work)

/** Concurrent waits count once, and time without an engine does not count. */
const waitedBefore = (event: Event, { works, lastAt }: RunState): number =>
  event.type !== 'run.resumed' && Object.values(works).some(({ work }) => isLifting(work))
    ? Math.max(0, msTo(event.at, lastAt) - (event.type === 'clock.jumped' ? event.ms : 0))
    : 0

const msTo = (end: string, start: string): number => Date.parse(end) - Date.parse(start)

/**
 * Whether the question already has an answer. Then only a repair turn may ask again, because the answer was invalid.
 */
function isAnswered(work: Work, { ledger }: RunState): boolean {
  if (work.kind !== 'turn' || work.errors.length > 0) return false
  const known = Object.entries(ledger[ownerOf(work.id)] ?? {})
  return known.some(
    ([id, { outcome }]) => questionOf(id) === work.slot && outcome.kind === 'turn' && outcome.status === 'ok',
  )
}

/** The turn hit a limit or needed a person's fix, so the question was asked once more. */
const isPutOff = (outcome: Outcome): boolean =>
  outcome.kind === 'turn' && outcome.status === 'error' && errorPolicy(outcome.error.kind) !== 'retry'

/** A person's request grants attempts; a mere change of the task grants none. */
function grantOf(why: Event<'task.reopened'>['why'], attempts: number | null): number {
  if (why === 'resumed' || why === 'asked' || why === 'source') return attempts ?? Infinity
  return why === 'changed' || why === 'cooldown' ? 0 : 1
}

/** After this many in a row, a stage fails or waits for a person. */
const mostInARow = { failed: 3, blocked: 2 }
