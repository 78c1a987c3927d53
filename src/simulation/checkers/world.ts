/** Laws between the journal and the world: everything that the journal records really happened, and happened once. */
import type { CheckWork, TurnWork } from '../../model/work.ts'
import { waveIn } from '../../model/work-id.ts'
import type { Checker } from '../checker.ts'
import type { VirtualGit } from '../virtual-git.ts'

/** An event is durable before anything that depends on it happens. */
export const writeAhead: Checker = {
  law: 'write-ahead',
  watch: ({ steps }, report) => ({
    end() {
      for (const step of steps) {
        if (step.kind === 'process' && !step.promised)
          report(`${step.work.id} ran before its start was durable`, step.durable)
        if (step.kind === 'git' && !step.promised)
          report(`git worked for ${step.work} before its start was durable`, step.durable)
        if (step.kind === 'announced') report(`event ${step.seq} was announced before it was durable`, step.durable)
      }
    },
  }),
}

/**
 * Each attempt lands at most once, however often its engine died. A task lands twice only when a person skipped it or
 * wants it again.
 */
export const landing: Checker = {
  law: 'landing',
  watch({ git, scenario: { config, pipeline } }, report) {
    const skipped = new Set<string>()
    const again = new Map<string, number>()
    return {
      after(event) {
        if (event.type === 'task.finished' && (event.status === 'cancelled' || event.by === 'source'))
          skipped.add(event.task)
        // An undone task lands once more. After a rollback, its commits are no longer on the branch.
        if (event.type === 'task.undone') again.set(event.task, (again.get(event.task) ?? 0) + 1)
        if (event.type === 'task.reopened' && event.why === 'source') event.tasks.forEach((id) => skipped.add(id))
      },
      end() {
        const log = git.log()
        const landings = log.map((commit) => commit.landing)
        landings.forEach((one, index) => {
          if (landings.indexOf(one) !== index) report(`${one} landed twice`)
        })
        if (config.workspace.mode === 'in-place') return
        const stages = new Set(pipeline?.stages.map(({ name }) => name))
        const tasks = log
          .filter(({ landing }) => !isRevert(landing))
          .map(({ task }) => task ?? '')
          .filter((task) => !stages.has(task))
        for (const task of new Set(tasks)) {
          const times = tasks.filter((other) => other === task).length
          if (times > 1 + (again.get(task) ?? 0) && !skipped.has(task)) report(`${task} landed ${times} times`)
        }
      },
    }
  },
}

const isRevert = (landing: string | null): boolean => landing !== null && waveIn(landing) !== null

/**
 * A turn that outlives its engine is adopted, not restarted. No process runs twice, and each start has its own folder.
 */
export const processes: Checker = {
  law: 'processes',
  watch: ({ steps, scenario: { faults } }, report) => ({
    end() {
      // Only the lock separates two engines. Without it, only the journal is safe.
      if (faults.some(({ kind }) => kind === 'second-engine')) return
      const alive = new Map<string, number>()
      const seen = new Set<string>()
      const hasBadDisk = faults.some(({ kind }) => kind === 'disk-full' || kind === 'disk-error')
      let takingOver = -1
      for (const step of steps) {
        // An engine whose journal refuses writes ends all processes: work that cannot be recorded must not continue.
        if (step.kind === 'engine') takingOver = step.what === 'starts' && !hasBadDisk ? step.durable : -1
        if (step.kind === 'fault') takingOver = -1
        if (step.kind === 'process') {
          const {
            work: { id },
            starts,
          } = step
          if (alive.has(id))
            report(`${id} is started again (${starts}) while start ${alive.get(id)} runs`, step.durable)
          if (seen.has(`${id}#${starts}`)) report(`${id} is started a second time as start ${starts}`, step.durable)
          seen.add(`${id}#${starts}`)
          alive.set(id, starts)
        } else if (step.kind === 'process-over' && alive.get(step.id) === step.starts) {
          alive.delete(step.id)
          const adoptable = step.turn && step.wanted && step.durable === takingOver
          if (step.how === 'killed' && adoptable) report(`${step.id} was ended instead of taken over`, step.durable)
        }
      }
    },
  }),
}

/** Work starts from the recorded tree, also when it is repeated. */
export const startingPoint: Checker = {
  law: 'starting-point',
  watch: ({ git, steps, scenario: { config, faults } }, report) => ({
    end() {
      if (
        config.workspace.mode === 'in-place'
        || faults.some(({ kind }) => kind === 'worktrees-deleted' || kind === 'second-engine')
      )
        return
      for (const step of steps) {
        if (step.kind !== 'process' || (step.work.kind === 'turn' && step.work.errors.length > 0)) continue
        const { work, starts, tree } = step
        const wanted = wantedTree(work, git)
        if (wanted === null || wanted === tree) continue
        report(`${work.id} (start ${starts}) finds ${tree} instead of ${wanted}`, step.durable)
      }
    },
  }),
}

/** The tree that the work names, or the tree of the commit to verify; null when it names neither. */
export function wantedTree(work: TurnWork | CheckWork, git: VirtualGit): string | null {
  const commit = work.kind === 'check' ? work.commit : undefined
  return work.tree ?? (commit === undefined ? null : git.treeOf(commit))
}
