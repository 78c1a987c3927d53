/**
 * Laws of the run branch: a landed change stays unless the journal records otherwise, and no rollback goes to a failing
 * tree.
 */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { CheckWork } from '../../model/work.ts'
import { hasStep } from '../../model/work-id.ts'
import type { Checker, History } from '../checker.ts'
import { isGreen } from '../virtual-checks.ts'
import type { VirtualGit } from '../virtual-git.ts'
import { wantedTree } from './world.ts'

/** Landed changes stay on the branch, in order, until a recorded rollback; nothing else moves the branch. */
export const landedStays: Checker = {
  law: 'landed-stays',
  watch(history, report) {
    const {
      scenario: { config },
      git,
      steps,
    } = history
    if (config.workspace.mode === 'in-place') return {}
    /** The commits on the branch according to the journal. */
    let recorded: string[] = []
    /** Tasks that a person closed while they were under way. */
    const closed = new Set<string>()
    return {
      before(event, state) {
        if (event.type === 'task.finished' && isByPerson(event) && state.tasks[event.task]?.attempt)
          closed.add(event.task)
        if (event.type !== 'rolled.back') return
        const kept = recorded.indexOf(event.to) + 1
        if (kept === 0 && event.to !== state.base.commit)
          report(`rolled back to ${event.to}, which is nothing that landed`, event.seq)
        const lost = new Set(
          state.landings
            .slice(kept)
            .filter(({ revert }) => !revert)
            .map(({ task }) => task),
        )
        const forgotten = [...lost].filter((id) => state.tasks[id]?.status === 'done' && !event.tasks.includes(id))
        if (forgotten.length > 0) report(`${forgotten.join(', ')} is lost with the rollback, and stays done`, event.seq)
      },
      after(event, state) {
        recorded = recordedBy(event, recorded)
        const known = state.landings.map(({ commit }) => commit)
        if (known.join() !== recorded.join())
          report(`the run knows ${known.join(' ')}, and the journal has ${recorded.join(' ')}`, event.seq)
      },
      end(state) {
        const branch = git
          .log()
          .map(({ id }) => id)
          .toReversed()
        if (isInterrupted(state)) return
        const missing = recorded.filter((commit) => !branch.includes(commit))
        if (missing.length > 0) report(`${missing.join(', ')} has landed and is gone`)
        const order = branch.filter((commit) => recorded.includes(commit))
        if (missing.length === 0 && order.join() !== recorded.join()) {
          report(`landed as ${recorded.join(' ')}, and the branch is ${order.join(' ')}`)
        }
        const unrecorded = branch.filter((commit) => !recorded.includes(commit)).map((commit) => git.commit(commit))
        for (const { id, task } of unrecorded) {
          if (!isExplained(task ?? '', state, history, closed)) report(`${id} of ${task} landed, and no event says so`)
        }
        const asked = steps.filter(({ kind }) => kind === 'rolled-back').length
        const went = history.events.filter(({ type }) => type === 'rolled.back').length
        if (asked > went) report(`the branch went back ${asked} times, and the journal has ${went}`)
      },
    }
  },
}

const isByPerson = ({ status, by }: Event<'task.finished'>): boolean =>
  status === 'cancelled' || (status === 'done' && by === 'source')

/** A person's rollback was interrupted: the next engine carries it out. */
export const isInterrupted = ({ convergence: { next } }: RunState): boolean =>
  next?.do === 'roll-back' && next.why === 'person'

function recordedBy(event: Event, recorded: string[]): string[] {
  const isDone = event.type === 'task.finished' && event.status === 'done' && event.by !== 'source'
  if (isDone && event.commit !== null) return [...recorded, event.commit]
  if (event.type === 'task.undone' && event.revert !== null) return [...recorded, event.revert]
  return event.type === 'rolled.back' ? recorded.slice(0, recorded.indexOf(event.to) + 1) : recorded
}

/**
 * Whether a commit without a done task is legitimate: a pass of a loop, a task that was closed while it landed, or one
 * that was landing when the run was left.
 */
function isExplained(
  task: string,
  state: RunState,
  { scenario: { pipeline, faults } }: History,
  closed: ReadonlySet<string>,
): boolean {
  if (
    pipeline?.stages.some(({ name }) => name === task)
    || closed.has(task)
    || faults.some(({ kind }) => kind === 'second-engine')
  )
    return true
  const known = state.tasks[task]
  return known === undefined || known.status === 'cancelled' || known.held !== undefined
}

/**
 * No rollback goes to a tree on which a counting check failed, nor to a branch with a change that was reverted later.
 * The base is exempt.
 */
export const rollbackToGreen: Checker = {
  law: 'rollback-to-green',
  watch({ git }, report) {
    /**
     * By tree and check: the seq of the event that recorded the failure; Infinity if the check passed there as well.
     */
    const red = new Map<string, Map<string, number>>()
    const works = new Map<string, CheckWork>()
    /** The last closed wave or undone task: for a person's rollback, later findings do not count. */
    let reportedAt = 0
    let askedAt = 0
    const takenBack: Event<'task.undone'>[] = []
    return {
      before(event, state) {
        if (event.type === 'rollback.requested') askedAt = event.seq
        if (event.type === 'task.undone' && event.revert !== null) takenBack.push(event)
        if (event.type === 'work.started' && event.work.kind === 'check') works.set(event.work.id, event.work)
        if (event.type === 'work.finished' && state.works[event.id]) recordResult(event, works.get(event.id), git, red)
        if (event.type === 'wave.closed' || event.type === 'task.undone') reportedAt = event.seq
        if (event.type !== 'rolled.back' || event.to === state.base.commit) return
        const kept = state.landings.findIndex(({ commit }) => commit === event.to) + 1
        const until = event.why === 'person' ? reportedAt : event.seq
        const left = state.landings.slice(0, kept).map(({ commit }) => commit)
        const known = takenBack.filter(({ seq }) => seq < (event.why === 'person' ? askedAt : event.seq))
        for (const task of brokenAmong(left, known)) {
          report(`rolled back to ${event.to}, with the change of ${task} that was taken back`, event.seq)
        }
        const there = [...(red.get(git.treeOf(event.to)) ?? [])].flatMap(([name, seq]) => (seq <= until ? [name] : []))
        // Where a check runs only once, a flaky failure cannot be distinguished from a real one.
        const isTrue = (name: string): boolean => !isGreen(name, git.filesOf(event.to))
        const counts = there.filter((name) => isCounting(state, name, kept) && isTrue(name))
        if (counts.length > 0) report(`rolled back to ${event.to}, where ${counts.join(', ')} was red`, event.seq)
      },
    }
  },
}

/** Tasks with a change among these commits that was reverted by a commit outside them. */
function brokenAmong(commits: readonly string[], takenBack: readonly Event<'task.undone'>[]): string[] {
  const has = (commit: string | null | undefined): boolean => commits.some((one) => one === commit)
  return takenBack.filter(({ reverts, revert }) => has(reverts) && !has(revert)).map(({ task }) => task)
}

/** A check that failed and passed on one tree is flaky; only one that never passed there counts as failing. */
function recordResult(
  { outcome, seq }: Event<'work.finished'>,
  work: CheckWork | undefined,
  git: VirtualGit,
  red: Map<string, Map<string, number>>,
): void {
  const tree = work ? wantedTree(work, git) : null
  if (!work || tree === null || outcome.kind !== 'check' || !outcome.started || hasStep(work.id, 'proof')) return
  const there = red.get(tree) ?? new Map<string, number>()
  red.set(tree, there)
  const isRed = outcome.exitCode !== 0 || outcome.tests === 0
  there.set(work.name, isRed ? (there.get(work.name) ?? seq) : Infinity)
}

/**
 * Whether the check counts: it is configured and passed on the base, or a task that is done there was accepted by it.
 * Flaky checks do not count.
 */
function isCounting({ config, flaky, baseline, tasks, landings }: RunState, name: string, kept: number): boolean {
  if (Object.hasOwn(flaky, name)) return false
  if (config.checks.some((check) => check.name === name)) {
    return baseline?.checks.some(({ check, passed }) => check === name && passed) === true
  }
  const done = landings
    .slice(0, kept)
    .filter(({ revert }) => !revert)
    .map(({ task }) => tasks[task])
  return done.some((task) => task?.status === 'done' && task.evidence.some(({ check }) => check === name))
}
