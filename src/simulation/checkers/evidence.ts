/** The law of evidence: a done task is proven, the proof is true, and exactly the proven tree is on the branch. */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Checker, History, Report } from '../checker.ts'
import { isInterrupted } from './landed.ts'
import { isGreen, isNoWorse } from '../virtual-checks.ts'
import { fileOf, litter } from '../virtual-files.ts'

export const evidence: Checker = {
  law: 'evidence',
  watch(history, report) {
    const skipped = new Set<string>()
    const turnedDown = new Set<string>()
    /** Checks whose last run on a tree passed without running a test. */
    const empty = new Set<string>()
    /** Wave checks that have not run since a task was done. */
    const waiting = new Set<string>()
    return {
      before(event, state) {
        if (event.type === 'task.finished' && event.status === 'done' && event.by !== 'source')
          judge(event, state, history, report)
        if (event.type !== 'work.finished' || event.outcome.kind !== 'check') return
        const work = state.works[event.id]?.work
        if (work?.kind !== 'check') return
        if (work.task === null) waiting.delete(work.name)
        if (event.outcome.tests === 0) empty.add(provenBy(work.task, work.name, work.tree))
        else empty.delete(provenBy(work.task, work.name, work.tree))
      },
      after(event, state) {
        // All checks have run on a checkpoint, and the base has no landings.
        if (event.type === 'rolled.back' && (event.checkpoint !== null || event.landings === 0)) waiting.clear()
        if (event.type === 'run.ended' && event.status === 'completed') {
          const idle = state.gate.checks.filter(({ tests, usable }) => usable && tests === 0)
          for (const { check } of idle) report(`completed, but ${check} ran no test`, event.seq)
          for (const check of waiting) report(`completed, and ${check} was never run on the whole`, event.seq)
        }
        if (event.type === 'task.finished' && event.status === 'done' && event.by !== 'source') {
          for (const { name, when } of state.config.checks) if (when === 'wave') waiting.add(name)
        }
        // The run does not account for the change of a task that was done elsewhere or that a person reopened.
        if (event.type === 'task.added' && event.was !== undefined) skipped.add(event.task.id)
        // A change that a review rejects stays on the branch until the task is done again.
        if (event.type === 'task.undone' && event.revert === null) turnedDown.add(event.task)
        if (event.type === 'task.reopened' && event.why === 'source') event.tasks.forEach((id) => skipped.add(id))
        if (event.type !== 'task.finished') return
        if (event.by === 'source') skipped.add(event.task)
        for (const { check, tree } of event.evidence) {
          if (empty.has(provenBy(event.task, check, tree)))
            report(`${event.task} is done, but ${check} ran no test`, event.seq)
        }
        if (event.status === 'cancelled') skipped.add(event.task)
      },
      end: (state) =>
        branchHolds(
          state,
          history,
          new Set([...skipped, ...[...turnedDown].filter((id) => isStill(state, id))]),
          report,
        ),
    }
  },
}

const provenBy = (task: string | null, check: string, tree: string | null): string => `${task} ${check} ${tree}`

const isTracked = ({ scenario: { config } }: History): boolean => config.workspace.mode === 'worktree'

function judge(event: Event<'task.finished'>, state: RunState, history: History, report: Report): void {
  const {
    git,
    steps,
    scenario: { config },
  } = history
  const { task, commit, seq } = event
  const proven = new Set(event.evidence.map(({ check }) => check))
  for (const { name, when } of config.checks) {
    if (when !== 'wave' && !proven.has(name) && !isExcused(name, task, state))
      report(`${task} is done without ${name}`, seq)
  }
  if (config.checks.some(({ when }) => when !== 'wave') && proven.size === 0)
    report(`${task} is done without any proof`, seq)
  if (config.checks.length === 0 && !config.noChecksFound && proven.size > 0)
    report(`${task} has evidence although checks are off`, seq)
  for (const { check, tree, noWorse } of event.evidence) {
    const isTrue =
      tree === null || isGreen(check, git.filesOf(tree)) || (noWorse === true && isNoWorse(check, tree, git))
    if (!isTrue) report(`${task} is done, but ${check} is red on ${tree}`, seq)
    const elsewhere = isTracked(history) && commit !== null && tree !== git.treeOf(commit)
    if (elsewhere) report(`${task}: ${check} ran on another tree than landed`, seq)
  }
  if (!isTracked(history)) return
  if (commit === null) {
    if (config.checks.length > 0) report(`${task} is done, but nothing landed`, seq)
  } else if (!steps.some((step) => step.kind === 'landed' && step.commit === commit)) {
    report(`${commit} of ${task} was never on the branch`, seq)
  }
}

/** Whether more changes of the task are on the branch than were reverted. */
function isStill({ landings }: RunState, id: string): boolean {
  const own = landings.filter(({ task }) => task === id)
  return own.filter(({ revert }) => !revert).length > own.filter(({ revert }) => revert).length
}

/**
 * The last result on the landed tree is a failure that blames no task: it failed on the base, or the check is flaky.
 */
function isExcused(name: string, task: string, { tasks, flaky, baseline }: RunState): boolean {
  const record = tasks[task]?.attempt?.checks.findLast(({ check }) => check === name)
  if (record?.excuse === 'flaky') return Object.hasOwn(flaky, name)
  return (
    record?.excuse !== undefined && baseline?.checks.some(({ check, passed }) => check === name && !passed) === true
  )
}

/** A task that was skipped while landing may have landed, and so may a running one. */
function branchHolds(state: RunState, history: History, skipped: ReadonlySet<string>, report: Report): void {
  const {
    git,
    scenario: { config },
  } = history
  if (!isTracked(history) || isInterrupted(state)) return
  const files = git.filesOf(git.tip())
  for (const { id, status } of Object.values(state.tasks)) {
    const content = files[fileOf(id)]
    if (status === 'done' && content === undefined && !skipped.has(id))
      report(`${id} is done and its change is not on the branch`)
    if (!['done', 'doing', 'cancelled'].includes(status) && content !== undefined && !skipped.has(id)) {
      report(`${id} is ${status} and its change is on the branch`)
    }
  }
  if (files['stray.txt'] !== undefined) report('what a reader changed is on the branch')
  if (files[litter] !== undefined) report('what a check left behind is on the branch')
  // Without checks, the content may be anything.
  if (state.status !== 'completed' || state.pipeline?.stages.some(({ checks }) => !checks)) return
  for (const { name } of config.checks) {
    const isAsBefore = git.tip() === git.base || (state.baseline !== null && isNoWorse(name, git.tip(), git))
    const isKnown = isAsBefore || Object.hasOwn(state.flaky, name)
    if (!isGreen(name, files) && !isKnown) report(`completed, but ${name} is red on the branch`)
  }
}
