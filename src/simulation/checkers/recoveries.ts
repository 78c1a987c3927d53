/** Laws of recovery: the number of recoveries is bounded, and an undone task is done again or ends with a reason. */
import type { Checker } from '../checker.ts'

/** The number of recoveries per trouble is bounded until a person resumes the run. */
export const recoveriesBounded: Checker = {
  law: 'recoveries-bounded',
  watch(_history, report) {
    const begun = new Map<string, number>()
    return {
      before(event, state) {
        if (event.type === 'run.resumed' && state.status !== 'running') begun.clear()
        // A recovery has helped when a task is done after it.
        if (event.type === 'task.finished' && event.status === 'done' && event.by !== 'source') begun.delete('STALLED')
        const recoveries = state.config.limits?.recoveries ?? null
        if (event.type === 'recovery.begun') {
          const n = (begun.get(event.from) ?? 0) + 1
          begun.set(event.from, n)
          if (recoveries !== null && n > recoveries)
            report(`${n} recoveries from ${event.from} of ${recoveries}`, event.seq)
          if (event.n !== n && recoveries !== null) {
            report(`the recovery from ${event.from} is the ${n}th, and counts as the ${event.n}th`, event.seq)
          }
        }
        if (event.type !== 'rolled.back' || event.why === 'person') return
        if (recoveries === 0) report(`rolled back from ${event.why} although no recovery is allowed`, event.seq)
      },
    }
  },
}

/** An undone task gets another attempt with the failure that undid it, or ends with a reason. */
export const undone: Checker = {
  law: 'undone',
  watch(_history, report) {
    const open = new Set<string>()
    const ever = new Set<string>()
    let fallen: string[] = []
    return {
      before(event, state) {
        const named = event.type === 'task.undone' ? [event.task] : event.type === 'rolled.back' ? event.tasks : []
        // A rollback may drop the rest of a rejected task that has failed since.
        fallen = named.filter((id) => state.tasks[id]?.status === 'done')
      },
      after(event, state) {
        for (const id of fallen) {
          open.add(id)
          ever.add(id)
          const task = state.tasks[id]
          if (task?.status !== 'todo' || task.commit !== null || task.evidence.length > 0) {
            report(`${id} is undone, and ${task?.status}`, event.seq)
          }
          if (task && task.attemptsLeft < 1) report(`${id} is undone, and has no attempt left`, event.seq)
        }
        if (
          event.type === 'task.undone'
          && !state.tasks[event.task]?.failures.some(({ summary }) => summary === event.failure.summary)
        ) {
          report(`${event.task} is undone, and its next attempt gets no reason`, event.seq)
        }
        if (event.type === 'task.finished' || event.type === 'task.started') open.delete(event.task)
        if (event.type === 'run.ended' && event.status === 'completed' && open.size > 0) {
          report(`completed, and ${[...open].join(', ')} is undone`, event.seq)
        }
      },
      end(state) {
        for (const task of Object.values(state.tasks).filter(({ id }) => ever.has(id))) {
          const isSilent = (task.status === 'failed' || task.status === 'blocked') && !task.reason
          if (isSilent) report(`${task.id} is ${task.status} without a reason`)
        }
        if (open.size > 0 && (state.status === 'completed' || !state.reason)) {
          report(`${[...open].join(', ')} was undone, and nothing came of it`)
        }
      },
    }
  },
}
