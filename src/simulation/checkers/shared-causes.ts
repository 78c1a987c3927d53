/** The law of shared causes: agents are not paid for a cause that no task can change. */
import { causeOf } from '../../model/cannot-run.ts'
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Checker } from '../checker.ts'

const mostTurns = 6

/** Null when the result is no cause that tasks may share. A check must have passed before, and a race is one task. */
function causeIn(event: Event<'check.finished'>, { convergence, config, flaky, tasks }: RunState): string | null {
  const { cannotRun, task, usable, passed, excuse, check, fingerprint, exact } = event
  if (task === null || !usable || passed || excuse !== undefined) return null
  if (cannotRun) return causeOf(cannotRun)
  const isConfigured = config.checks.some(({ name }) => name === check)
  const isRacing = (tasks[task]?.racers?.length ?? 0) > 0
  if (!isConfigured || isRacing || !Object.hasOwn(convergence.proofs, check) || Object.hasOwn(flaky, check)) return null
  return fingerprint === null ? null : `fails alike: ${check} ${fingerprint} ${exact ?? ''}`
}

interface CauseRecord {
  /** By task: the turns that showed it, and the fixes of it that started. */
  turns: Map<string, Set<string>>
  /** By task: where it showed last. */
  last: Map<string, { attempt: number; round: number }>
}

/** A part of a task may show what the whole showed: two parts, or two tasks, share it. */
function isShared({ turns }: CauseRecord): boolean {
  const [first = '', ...others] = turns.keys()
  const isApart = (one: string, other: string): boolean => !other.startsWith(`${one}.`) && !one.startsWith(`${other}.`)
  return (
    others.some((other) => isApart(first, other)) || others.some((a) => others.some((b) => a !== b && isApart(a, b)))
  )
}

/** The tasks in whose newest round it showed: it is not fixed there, or a fix is under way. */
const openIn = ({ last }: CauseRecord, { tasks, active }: RunState): string[] =>
  [...last].flatMap(([id, { attempt, round }]) => {
    const now = active.includes(id) ? tasks[id]?.attempt : null
    return now?.n === attempt && (now.round === round || (now.round === round + 1 && now.failure?.kind === 'check'))
      ? [id]
      : []
  })

function recordCause(
  causes: Map<string, CauseRecord>,
  key: string,
  task: string,
  at: { attempt: number; round: number },
): void {
  const seen = causes.get(key) ?? { turns: new Map(), last: new Map() }
  const turns = seen.turns.get(task) ?? new Set()
  seen.turns.set(task, turns.add(`${at.attempt}/${at.round}`))
  seen.last.set(task, at)
  causes.set(key, seen)
}

/** A task that showed it and is done has repaired it, and a person has decided on a task that is skipped. */
function forget(causes: Map<string, CauseRecord>, { task, status }: Event<'task.finished'>): void {
  for (const [key, { turns, last }] of causes) {
    if (status === 'done' && turns.has(task)) causes.delete(key)
    if (status !== 'cancelled') continue
    turns.delete(task)
    last.delete(task)
  }
}

/**
 * Once a check cannot run for the same cause, or fails in the same way, in two different tasks, no further task starts
 * while one of them shows it, and no fix starts beyond six turns on it, until a person resumes the run or one of the
 * tasks that showed it is done. Neither a split nor a block nor another failure in between changes that. Before the
 * first landing, no more than six tasks show it, or one for each slot.
 */
export const sharedCausesBounded: Checker = {
  law: 'shared-causes',
  watch(_history, report) {
    const causes = new Map<string, CauseRecord>()
    return {
      before(event, state) {
        if (event.type === 'run.resumed' && state.status !== 'running') causes.clear()
        if (event.type === 'task.finished') forget(causes, event)
        const key = event.type === 'check.finished' ? causeIn(event, state) : null
        if (event.type === 'check.finished' && key !== null && event.task !== null)
          recordCause(causes, key, event.task, event)
        const tasks = key === null ? 0 : (causes.get(key)?.turns.size ?? 0)
        if (state.landings.length === 0 && tasks > Math.max(mostTurns, state.config.parallel))
          report(`${tasks} tasks show ${key} before the first landing`, event.seq)
        for (const [cause, seen] of causes) {
          if (event.type === 'attempt.failed' && event.next === 'split' && isShared(seen)) {
            if (openIn(seen, state).includes(event.task) && event.failure.kind === 'check')
              report(`${event.task} is split for ${cause}`, event.seq)
          }
          if (event.type === 'task.started' && isShared(seen) && openIn(seen, state).length > 0)
            report(`${event.task} starts although several tasks show ${cause}`, event.seq)
          if (event.type !== 'attempt.fixing' || event.failure.kind !== 'check') continue
          const last = seen.last.get(event.task)
          if (last?.attempt !== event.attempt || last.round !== event.fix - 1) continue
          seen.turns.get(event.task)?.add(`${event.attempt}/${event.fix}`)
          const turns = [...seen.turns.values()].reduce((sum, { size }) => sum + size, 0)
          if (turns > mostTurns && isShared(seen)) report(`${turns} turns for ${cause}`, event.seq)
        }
      },
    }
  },
}
