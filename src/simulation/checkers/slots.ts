/** Laws of what may run at once: dependencies come first, and slots and workspaces are not shared. */
import type { RunState } from '../../model/state.ts'
import { verificationWorkspace } from '../../model/work.ts'
import { attemptId, stepId } from '../../model/work-id.ts'
import type { Checker, Report } from '../checker.ts'
import type { Step } from '../witness.ts'
import { isSatisfied } from './journal.ts'

/** A task starts only when all its dependencies are done. */
export const dependencies: Checker = {
  law: 'dependencies',
  watch: (_history, report) => ({
    before(event, state) {
      if (event.type !== 'task.started') return
      for (const id of state.tasks[event.task]?.dependsOn ?? []) {
        if (!isSatisfied(state, id))
          report(`${event.task} starts although ${id} is ${state.tasks[id]?.status ?? 'unknown'}`, event.seq)
      }
    },
  }),
}

/** How many attempts at a task run at once. */
export const attemptsAt = ({ tasks }: RunState, id: string): number =>
  (tasks[id]?.attempt ? 1 : 0) + (tasks[id]?.racers?.length ?? 0)

/** Concurrent tasks, checks and merges stay within their limits, and no two processes work in one workspace. */
export const slots: Checker = {
  law: 'slots',
  watch({ steps, scenario: { config, faults } }, report) {
    return {
      after(event, state) {
        const attempts = state.active.reduce(
          (sum, id) => sum + (isLanding(state, id) ? 0 : Math.max(1, attemptsAt(state, id))),
          0,
        )
        if (event.type === 'task.started' && attempts > config.parallel)
          report(`${attempts} of ${config.parallel} attempts run`, event.seq)
        const { length } = state.active
        if (length > 2 * config.parallel) report(`${length} tasks are under way, of ${config.parallel}`, event.seq)
        if (event.type !== 'work.started') return
        const works = Object.values(state.works).map(({ work }) => work)
        const turns = works.filter((work) => work.kind === 'turn' && work.task !== null).length
        if (turns > config.parallel) report(`${turns} turns of ${config.parallel} run`, event.seq)
        const checks = works.filter(({ kind }) => kind === 'check').length
        if (checks > config.checksParallel) report(`${checks} checks of ${config.checksParallel} run`, event.seq)
        if (works.filter(({ kind }) => kind === 'integrate').length > 1) report('two merges are under way', event.seq)
        const here = (work: RunState['works'][string]['work']): string | null =>
          'workspace' in work && work.workspace !== verificationWorkspace
            ? config.workspace.mode === 'in-place'
              ? 'checkout'
              : work.workspace
            : null
        const busy = works.filter((work) => here(work) !== null && here(work) === here(event.work))
        if (busy.length > 1) report(`${busy.map(({ id }) => id).join(' and ')} share a workspace`, event.seq)
      },
      end() {
        // Without the lock, nothing separates the processes of two engines.
        if (!faults.some(({ kind }) => kind === 'second-engine')) shareFolder(steps, report)
      },
    }
  },
}

/**
 * Reports two concurrent processes in one folder, including verification workspaces: they would see each other's
 * changes.
 */
function shareFolder(steps: readonly Step[], report: Report): void {
  const busy = new Map<string, Extract<Step, { kind: 'process' }>>()
  for (const step of steps) {
    if (step.kind === 'process') {
      const other = busy.get(step.folder)
      if (other) report(`${step.work.id} begins in the folder of ${other.work.id}`, step.durable)
      busy.set(step.folder, step)
    } else if (step.kind === 'process-over') {
      const isOver = ({ work, starts }: Extract<Step, { kind: 'process' }>): boolean =>
        work.id === step.id && starts === step.starts
      for (const [place, process] of busy) if (isOver(process)) busy.delete(place)
    }
  }
}

/** The agent is done and the merge has begun or is next: in a worktree such an attempt needs no slot. */
function isLanding({ tasks, ledger, works, config }: RunState, id: string): boolean {
  const { attempt } = tasks[id] ?? {}
  if (!attempt || config.workspace.mode === 'in-place' || config.parallel === 1) return false
  const isOver = ledger[id]?.[stepId(attemptId(id, attempt.n), 'inspect', attempt.round)] !== undefined
  return isOver && !Object.values(works).some(({ work }) => work.kind === 'turn' && work.task === id)
}
