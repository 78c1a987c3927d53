/** Laws of blame: no task is blamed for a flaky check, or for a check that failed before the first task. */
import type { CheckRecord, Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { hasStep, waveIn } from '../../model/work-id.ts'
import type { Checker } from '../checker.ts'
import { titles } from '../virtual-answers.ts'
import { failingIn, isNoWorse } from '../virtual-checks.ts'

type Blaming = Event<'attempt.fixing'> | Event<'attempt.failed'>

const isBlaming = (event: Event): event is Blaming =>
  (event.type === 'attempt.fixing' || event.type === 'attempt.failed') && event.failure.kind === 'check'

/** The failing checks of the attempt's last round, for which it was blamed. */
function recordsOf({ task, attempt: n }: Blaming, { tasks }: RunState): CheckRecord[] {
  const known = tasks[task]
  const records = [known?.attempt, ...(known?.racers ?? [])].find((attempt) => attempt?.n === n)?.checks ?? []
  const last = records.filter(({ merged }) => merged)
  return last.length > 0 ? last : records
}

const isRed = ({ usable, passed }: CheckRecord): boolean => usable && !passed

/**
 * Once a check both failed and passed on one tree, only a task that is about the check is asked to fix it. An attempt
 * may still fail by it when nothing else proves the work.
 */
export const flakyFailsNoAttempt: Checker = {
  law: 'flaky-fails-no-attempt',
  watch({ scenario: { unrest } }, report) {
    const flaky = new Set<string>()
    /** Failing records of a check that was already known as flaky. */
    const excused = new Set<CheckRecord | string>()
    /** Number of runs of a check in the latest audit, reruns included. */
    const runs = new Map<string, number>()
    const key = ({ task, attempt, round, merged, check, tree }: CheckRecord): string =>
      [task, attempt, round, merged, check, tree].join()
    return {
      before(event, state) {
        if (event.type === 'check.finished') {
          // If tests are named, a test that never passed is blamed.
          const isByChance = unrest?.base !== 'named' || event.fingerprint?.endsWith('now and then')
          if (flaky.has(event.check) && isRed(event) && isByChance) excused.add(key(event))
          if (event.flaky) flaky.add(event.check)
        }
        const work =
          event.type === 'work.finished' && waveIn(event.id) !== null ? state.works[event.id]?.work : undefined
        if (work?.kind === 'check' && !hasStep(work.id, 'bisect', 'revert')) {
          const isFirst = work.rerun === undefined
          runs.set(work.name, (isFirst ? 0 : (runs.get(work.name) ?? 0)) + 1)
        }
        if (event.type === 'baseline.taken')
          for (const { check, flaky: mixed } of event.checks) if (mixed) flaky.add(check)
        if (event.type === 'task.undone' && event.why === 'culprit') {
          const check = event.failure.fingerprint?.replace(/^regression:/, '') ?? ''
          // A flaky check counts as failing only if it keeps failing.
          if (flaky.has(check) && (runs.get(check) ?? 0) < 10)
            report(`${event.task} is undone for ${check}, which is flaky`, event.seq)
        }
        if (!isBlaming(event)) return
        const records = recordsOf(event, state)
        const red = records.filter(isRed)
        const isProven = records.some(({ usable, passed, excuse }) => usable && (passed || excuse === 'no-worse'))
        const isAsked =
          state.tasks[event.task]?.title === titles.fix
          || red.some(({ check, excuse }) => excuse === undefined && state.tasks[event.task]?.checks.includes(check))
        const isFlaky = red.length > 0 && red.every((record) => excused.has(key(record)))
        if (isFlaky && !isAsked && (isProven || event.type === 'attempt.fixing')) {
          report(`${event.task} is blamed for ${red.map(({ check }) => check).join(', ')}, which is flaky`, event.seq)
        }
      },
    }
  },
}

/** A check that failed before the first task and is no worse blames no task but the one that is to fix it. */
export const baselineFailsNoAttempt: Checker = {
  law: 'baseline-fails-no-attempt',
  watch({ git, scenario: { unrest, faults } }, report) {
    // Without a folder to run in, a check fails for another reason.
    const isLost = faults.some(({ kind }) => kind === 'worktrees-deleted')
    const isToFix = ({ tasks }: RunState, id: string): boolean => tasks[id]?.title === titles.fix
    const wasRed = ({ baseline }: RunState, name: string): boolean =>
      baseline?.checks.some(({ check, passed }) => check === name && !passed) === true
    const isOld = (state: RunState, name: string, tree: string | null): boolean =>
      wasRed(state, name)
      && tree !== null
      && failingIn(name, git.filesOf(git.base)).length > 0
      && isNoWorse(name, tree, git)
      && failingIn(name, git.filesOf(tree)).length > 0
    return {
      before(event, state) {
        if (event.type === 'task.undone' && event.why === 'culprit') {
          const check = event.failure.fingerprint?.replace(/^regression:/, '') ?? ''
          const tip = state.landings.at(-1)?.commit
          const isFixed = state.order.some((id) => isToFix(state, id))
          if (!isFixed && tip && isOld(state, check, git.treeOf(tip))) {
            report(`${event.task} is undone for ${check}, which was red before`, event.seq)
          }
        }
        if (!isBlaming(event) || isToFix(state, event.task) || unrest?.base !== 'named' || isLost) return
        const red = recordsOf(event, state).filter(isRed)
        const asked = state.tasks[event.task]?.checks ?? []
        const blamed = red.filter(
          ({ check, tree, fingerprint, cannotRun }) =>
            cannotRun !== undefined
            || asked.includes(check)
            || !isOld(state, check, tree)
            || fingerprint?.endsWith('now and then'),
        )
        if (red.length > 0 && blamed.length === 0) {
          report(`${event.task} is blamed for ${red.map(({ check }) => check).join(', ')}, red before it`, event.seq)
        }
      },
    }
  },
}
