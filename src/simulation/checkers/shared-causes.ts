/** The law of shared causes: agents are not paid for a cause that no task can change. */
import { causeOf } from '../../model/cannot-run.ts'
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Checker } from '../checker.ts'

const mostTurns = 6

const failure = 'fails alike: '

/** Null when the result is no cause that tasks may share. A check must have passed before, and a race is one task. */
function causeIn(event: Event<'check.finished'>, { convergence, config, flaky, tasks }: RunState): string | null {
  const { cannotRun, task, usable, passed, excuse, check, fingerprint } = event
  if (task === null || !usable || passed || excuse !== undefined) return null
  if (cannotRun) return causeOf(cannotRun)
  const isConfigured = config.checks.some(({ name }) => name === check)
  const isRacing = (tasks[task]?.racers?.length ?? 0) > 0
  if (!isConfigured || isRacing || !Object.hasOwn(convergence.proofs, check) || Object.hasOwn(flaky, check)) return null
  return fingerprint === null ? null : `${failure}${check} ${fingerprint}`
}

interface Seen {
  tasks: Set<string>
  turns: Set<string>
  /** A turn that an agent error repeats counts once. */
  later: Set<string>
}

/** A task whose attempt ended for another reason, that is split or waits for a person no longer shows the failure. */
function forget({ tasks, turns, later }: Seen, event: Event): void {
  const isOver = event.type === 'task.finished' && (event.status === 'blocked' || event.status === 'cancelled')
  const isLeft = event.type === 'attempt.failed' && (event.failure.kind !== 'check' || event.next === 'split')
  if (!isOver && !isLeft) return
  tasks.delete(event.task)
  for (const turn of turns) if (turn.startsWith(`${event.task}/`)) turns.delete(turn)
  if (tasks.size < 2) later.clear()
}

/**
 * Once a check cannot run for the same cause, or fails in the same way, in two different tasks, the turns that showed
 * it and those that start afterwards are at most six, until a person resumes the run. A task that is done ends a common
 * failure.
 */
export const sharedCausesBounded: Checker = {
  law: 'shared-causes',
  watch(_history, report) {
    const causes = new Map<string, Seen>()
    return {
      before(event, state) {
        if (event.type === 'run.resumed' && state.status !== 'running') causes.clear()
        if (event.type === 'task.finished' && event.status === 'done')
          for (const key of causes.keys()) if (key.startsWith(failure)) causes.delete(key)
        for (const [key, seen] of causes) if (key.startsWith(failure)) forget(seen, event)
        const key = event.type === 'check.finished' ? causeIn(event, state) : null
        if (event.type === 'check.finished' && key !== null && event.task !== null) {
          const seen = causes.get(key) ?? { tasks: new Set(), turns: new Set(), later: new Set() }
          seen.tasks.add(event.task)
          seen.turns.add(`${event.task}/${event.attempt}/${event.round}`)
          causes.set(key, seen)
        }
        if (event.type !== 'work.started' || event.work.kind !== 'turn' || event.work.task === null) return
        for (const [cause, seen] of causes) {
          if (seen.tasks.size < 2) continue
          seen.later.add(event.work.slot)
          const turns = seen.turns.size + seen.later.size
          if (turns > mostTurns) report(`${turns} turns for ${cause}`, event.seq)
        }
      },
    }
  },
}
