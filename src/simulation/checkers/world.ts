/** Laws that hold between the journal and the world: what is said to be done is really there, and happened once. */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Checker } from '../checker.ts'
import { fileOf, isGreen } from '../fates.ts'

/** An event is durable before anything that depends on it happens. */
export const writeAhead: Checker = {
  law: 'write-ahead',
  watch: ({ steps }, report) => ({
    end() {
      for (const step of steps) {
        if (step.kind === 'process' && !step.promised) report(`${step.work.id} ran before its start was durable`, step.durable)
        if (step.kind === 'git' && !step.promised) report(`git worked for ${step.work} before its start was durable`, step.durable)
        if (step.kind === 'announced') report(`event ${step.seq} was announced before it was durable`, step.durable)
      }
    },
  }),
}

/** `done` never without evidence, and the evidence is true of what landed. */
export const evidence: Checker = {
  law: 'evidence',
  watch({ git, scenario: { config } }, report) {
    const names = config.checks.map(({ name }) => name)
    const tracked = config.workspace.mode === 'worktree'
    const judge = (event: Event<'task.finished'>): void => {
      for (const name of names) if (!event.evidence.some(({ check }) => check === name)) report(`${event.task} is done without ${name}`, event.seq)
      for (const { check, tree } of event.evidence) {
        if (tree !== null && !isGreen(check, git.filesOf(tree))) report(`${event.task} is done, but ${check} is red on ${tree}`, event.seq)
        if (tracked && event.commit !== null && tree !== git.treeOf(event.commit)) report(`${event.task}: ${check} ran on another tree than landed`, event.seq)
      }
      if (tracked && event.commit === null && names.length > 0) report(`${event.task} is done, but nothing landed`, event.seq)
      if (tracked && event.commit !== null && !git.log().some(({ id }) => id === event.commit)) report(`${event.commit} of ${event.task} is not on the branch`, event.seq)
    }
    return {
      after(event) {
        if (event.type !== 'task.finished' || event.status !== 'done') return
        if (names.length === 0 && event.evidence.length > 0) report(`${event.task} has evidence although checks are off`, event.seq)
        judge(event)
      },
      end: (state) => branchHolds(state),
    }
    /** Exactly what done tasks changed is on the branch; who was skipped while landing may have landed. */
    function branchHolds(state: RunState): void {
      if (!tracked) return
      const files = git.filesOf(git.tip())
      for (const task of Object.values(state.tasks)) {
        const content = files[fileOf(task.id)]
        if (task.status === 'done' && content === undefined) report(`${task.id} is done and its change is not on the branch`)
        if (!['done', 'cancelled'].includes(task.status) && content !== undefined && state.status === 'completed') report(`${task.id} is ${task.status} and its change is on the branch`)
        if (names.includes('test') && content !== undefined && /^(?:bad|half)/.test(content)) report(`${task.id} landed red: ${content}`)
      }
      if (files['stray.txt'] !== undefined) report('what a reader changed is on the branch')
      if (state.status === 'completed') for (const name of names) if (!isGreen(name, files)) report(`completed, but ${name} is red on the branch`)
    }
  },
}

/** Each attempt lands at most once, however often its engine died over it; a task twice only when a person had skipped it meanwhile. */
export const landing: Checker = {
  law: 'landing',
  watch({ git, scenario: { config } }, report) {
    const skipped = new Set<string>()
    return {
      after(event) { if (event.type === 'task.finished' && event.status === 'cancelled') skipped.add(event.task) },
      end() {
        const log = git.log()
        const landings = log.map((commit) => commit.landing)
        landings.forEach((one, place) => { if (landings.indexOf(one) !== place) report(`${one} landed twice`) })
        if (config.workspace.mode === 'in-place') return
        const tasks = log.map(({ task }) => task ?? '')
        for (const task of new Set(tasks.filter((one, place) => tasks.indexOf(one) !== place))) {
          if (!skipped.has(task)) report(`${task} landed more than once`)
        }
      },
    }
  },
}

/** A turn that outlives its engine is taken over, not started again; no process runs twice, and each start has a place of its own. */
export const processes: Checker = {
  law: 'processes',
  watch: ({ steps, scenario: { faults } }, report) => ({
    end() {
      // Two engines that do not know of each other are kept apart by the lock; without it only the journal is safe.
      if (faults.some(({ kind }) => kind === 'rival')) return
      const alive = new Map<string, number>()
      const seen = new Set<string>()
      const hasFullDisk = faults.some(({ kind }) => kind === 'disk-full')
      let takingOver = -1
      for (const step of steps) {
        // An engine that finds no space ends everything: nothing may go on that cannot be recorded.
        if (step.kind === 'engine') takingOver = step.what === 'starts' && !hasFullDisk ? step.durable : -1
        if (step.kind === 'fault') takingOver = -1
        if (step.kind === 'process') {
          const { work: { id }, starts } = step
          if (alive.has(id)) report(`${id} is started again (${starts}) while start ${alive.get(id)} runs`, step.durable)
          if (seen.has(`${id}#${starts}`)) report(`${id} is started a second time as start ${starts}`, step.durable)
          seen.add(`${id}#${starts}`)
          alive.set(id, starts)
        } else if (step.kind === 'process-over' && alive.get(step.id) === step.starts) {
          alive.delete(step.id)
          if (step.how === 'killed' && step.turn && step.wanted && step.durable === takingOver) report(`${step.id} was ended instead of taken over`, step.durable)
        }
      }
    },
  }),
}

/** Work starts from the tree that was recorded with it, also the second time. */
export const startingPoint: Checker = {
  law: 'starting-point',
  watch: ({ steps, scenario: { config, faults } }, report) => ({
    end() {
      if (config.workspace.mode === 'in-place' || faults.some(({ kind }) => kind === 'worktrees-deleted' || kind === 'rival')) return
      for (const step of steps) {
        if (step.kind !== 'process' || step.work.tree === null || (step.work.kind === 'turn' && step.work.errors.length > 0)) continue
        if (step.work.tree !== step.tree) report(`${step.work.id} (start ${step.starts}) finds ${step.tree} instead of ${step.work.tree}`, step.durable)
      }
    },
  }),
}
