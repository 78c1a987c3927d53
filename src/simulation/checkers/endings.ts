/** Laws of endings: a run ends with a reason, leaves nothing behind, and ends the same way whatever faults struck. */
import { isTimeLimit } from '../../model/work-id.ts'
import type { Checker } from '../checker.ts'
import type { Fault } from '../scenario.ts'

/** Every run ends or pauses with a reason, and no work is running any more. */
export const endings: Checker = {
  law: 'endings',
  watch: ({ steps, left, scenario: { source } }, report) => ({
    after(event) {
      if (event.type !== 'run.paused') return
      const { detail, hint } = event.reason
      if (detail === '' || hint === '') report('the run pauses without a reason', event.seq)
      if (!/\blooper \w+/.test(hint)) report(`the hint of a pause names no command: ${hint}`, event.seq)
    },
    end(state) {
      if (state.status === 'new' || state.status === 'running') report(`the run is left ${state.status}`)
      if (state.status !== 'completed' && !state.reason) report(`the run is ${state.status} without a reason`)
      if (Object.keys(state.works).length > 0) report(`left under way: ${Object.keys(state.works).join(', ')}`)
      if (left.length > 0) report(`processes are left: ${left.join(', ')}`)
      const explained = new Set<string | undefined>(source?.content === 'rubbish' ? ['CONFIG_BACKLOG'] : [])
      for (const step of steps) {
        if (step.kind === 'fault') explained.add(refusals[step.fault.kind])
        // After a hand edit, an engine may refuse because the source cannot be parsed.
        if (step.kind === 'hand') explained.add('CONFIG_BACKLOG')
        const failed = step.kind === 'engine' && step.what === 'refuses' && !explained.has(step.why)
        if (failed) report(`the engine failed: ${step.why}`, step.durable)
      }
    },
  }),
}

/** The error codes that an engine may fail with after that fault. */
const refusals: Partial<Record<Fault['kind'], string>> = {
  'second-engine': 'JOURNAL_CONFLICT',
  outage: 'ENVIRONMENT_SOURCE',
  'disk-full': 'ENVIRONMENT_DISK_FULL',
  'disk-error': 'ENVIRONMENT_IO',
}

/** Completed means that no task failed, waits or was forgotten. */
export const completion: Checker = {
  law: 'completion',
  watch: (_history, report) => ({
    after(event, state) {
      if (event.type !== 'run.ended' || event.status !== 'completed') return
      const { failed, blocked, todo, doing } = state.counts
      if (failed + blocked + todo + doing > 0) {
        report(`completed with ${failed} failed, ${blocked} blocked, ${todo + doing} unfinished tasks`, event.seq)
      }
      if (!state.stages.includes('gate')) return
      const red = state.gate.checks.filter(({ passed, usable, excuse }) => usable && !passed && excuse === undefined)
      const missing = state.config.checks.filter(({ name }) => !state.gate.checks.some(({ check }) => check === name))
      if (red.length > 0) report(`completed with red checks: ${red.map(({ check }) => check).join(', ')}`, event.seq)
      if (state.gate.verdict && !state.gate.verdict.approved)
        report('completed although the goal was not verified', event.seq)
      const unproven = missing.map(({ name }) => name).filter((name) => !hasEvidence(state.tasks, name))
      if (unproven.length > 0) report(`completed without ${unproven.join(', ')}`, event.seq)
    },
  }),
}

/** The gate may rely on the evidence of a task. */
const hasEvidence = (tasks: Record<string, { evidence: { check: string }[] }>, name: string): boolean =>
  Object.values(tasks).some(({ evidence }) => evidence.some(({ check }) => check === name))

/** With worktrees, a restart at any point leads to the same result as without faults. */
export const convergence: Checker = {
  law: 'convergence',
  comparesTwin: true,
  watch({ twin, git }, report) {
    let resting = false
    let helped = twin === null || twin.helped || twin.status === 'paused' || isAborted(twin)
    return {
      before(event, state) {
        if (event.type === 'run.resumed') resting = state.status !== 'running'
        if (event.type === 'task.reopened' && event.why === 'resumed' && event.tasks.length > 0 && resting)
          helped = true
      },
      end(state) {
        if (twin === null || helped || isAborted(state)) return
        if (twin.status !== state.status)
          report(`the run is ${state.status} (${state.reason ?? ''}), without faults it is ${twin.status}`)
        const tasks = Object.fromEntries(state.order.map((id) => [id, state.tasks[id]?.status ?? '']))
        const other = [...new Set([...Object.keys(tasks), ...Object.keys(twin.tasks)])].filter(
          (id) => tasks[id] !== twin.tasks[id],
        )
        if (other.length > 0)
          report(other.map((id) => `${id} is ${tasks[id]}, without faults ${twin.tasks[id]}`).join('; '))
        const [files, expectedFiles] = [JSON.stringify(git.filesOf(git.tip())), JSON.stringify(twin.files)]
        if (files !== expectedFiles) report(`the branch holds ${files}, without faults ${expectedFiles}`)
      },
    }
  },
}

/** A supervisor's abort ends all other work. */
const isAborted = ({ reason }: { reason: string | null }): boolean =>
  reason?.startsWith('the supervisor aborted') === true

/** Some work is always under way while a run is running: it never waits only for its time limit. */
export const progress: Checker = {
  law: 'liveness',
  watch(_history, report) {
    let idleAt = -1
    return {
      before(event, state) {
        if (event.type === 'run.paused' && event.seq === idleAt + 1)
          report('nothing was under way until the time was up', event.seq)
        const waits = event.type === 'work.finished' && isTimeLimit(event.id)
        if (waits && Object.keys(state.works).every(isTimeLimit)) idleAt = event.seq
      },
    }
  },
}

/** Only time with a live engine counts as running time. */
export const runningTime: Checker = {
  law: 'running-time',
  watch({ steps, scenario }, report) {
    const starts = steps
      .filter((step) => step.kind === 'engine' && step.what === 'starts')
      .map(({ durable }) => durable)
    const ran = [0]
    return {
      after(event, state) {
        const stretch =
          state.activeSince === null ? 0 : Math.max(0, Date.parse(event.at) - Date.parse(state.activeSince))
        ran[event.seq] = state.elapsedMs + stretch
        if (event.type !== 'run.resumed' || scenario.faults.some(({ kind }) => kind === 'second-engine')) return
        const before = ran[starts.findLast((durable) => durable < event.seq) ?? 0] ?? 0
        if (state.elapsedMs > before)
          report(`${state.elapsedMs - before} ms count as running although no engine was there`, event.seq)
      },
    }
  },
}
