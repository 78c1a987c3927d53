/** Uses beads as a source of tasks: the issues with one label, through the installed `bd`. */
import { LooperError } from '../../model/error.ts'
import type { SourceTask, SourceUpdate, TaskStore } from '../../model/source.ts'
import { inTurn } from '../../platform/in-turn.ts'
import { createHands } from '../hands.ts'
import { createChangeDetector } from '../change-detector.ts'
import type { BdOptions } from './bd.ts'
import { claimIssue } from './claim.ts'
import { isUnderWay, type BeadsIssue } from './issue.ts'
import { createNames } from './names.ts'
import { optionsForNew } from './new-issue.ts'
import { createTracker } from './tracker.ts'
import { closeReasonFor, noteFor, statusWord, toTask, toTasks } from './translate.ts'

export interface BeadsOptions extends BdOptions {
  /** Only issues with this label; null for all issues. */
  label: string | null
  /** The assignee of this run's issues: issues of other assignees are left alone. */
  owner?: string
}

/** bd splits labels at commas, and a leading dash would make the label an option. */
const usableLabel = /^[^\s,"'\\-][^\s,"'\\]*$/

/** Returns the label of a session's issues. */
export const sessionLabel = (session: string): string => `loop/${session}`

export function createBeadsStore(options: BeadsOptions): TaskStore {
  const { label, owner = '' } = options
  if (label !== null && !usableLabel.test(label))
    throw new LooperError('USAGE_ARGUMENTS', `"${label}" cannot be the label of issues`)
  const [tracker, serially, changes, names] = [
    createTracker(options, label),
    inTurn(),
    createChangeDetector(),
    createNames(label),
  ]
  const sent = new Map<string, SourceTask>()
  const hands = createHands(owner)

  const isOthers = (issue: BeadsIssue): boolean =>
    issue.status !== 'closed' && hands.areOthers(issue.id, issue.assignee, isUnderWay(issue))
  /** Returns null when no issue has that name. */
  const idOf = async (name: string): Promise<string | null> => {
    if (!names.knows(name)) names.learn(await tracker.list())
    return names.knows(name) ? names.idOf(name) : null
  }
  /** Records a change by this store, so that `list` does not report it as news. */
  const expect = (issue: BeadsIssue | null): void => {
    const before = issue === null ? undefined : sent.get(names.nameOf(issue))
    if (issue === null || before === undefined) return
    const { status, reason } = toTask(issue, before.id)
    changes.expect({ ...before, status, reason })
  }
  const make = async (task: SourceTask, at: string): Promise<void> => {
    const dependsOn = task.dependsOn.filter(names.knows)
    const made = await tracker.create(
      ...optionsForNew(task, { ref: names.refOf(task.id), label, blockers: dependsOn.map(names.idOf) }),
    )
    names.learn(made)
    for (const issue of made) {
      const kept = { ...toTask(issue, task.id), dependsOn }
      sent.set(task.id, kept)
      changes.expect(kept)
    }
    const { status, reason } = task
    if (status !== 'todo') await send(task.id, { status, reason, summary: null, files: [], at })
  }
  const send = async (name: string, change: SourceUpdate): Promise<void> => {
    const id = await idOf(name)
    const issue = id === null ? null : await tracker.show(id)
    // A closed or deleted issue stays so, and an issue of another assignee is left alone.
    if (issue === null || (issue.status === 'closed' && !change.again) || isOthers(issue)) return
    if (change.status === 'doing') hands.take(issue.id)
    if (change.status === 'done' || change.status === 'cancelled') await tracker.close(issue.id, closeReasonFor(change))
    else {
      const needed = optionsForChange(issue, { ...change, status: change.status }, owner)
      if (needed.length > 0) await tracker.update(issue.id, ...needed)
    }
    expect(await tracker.show(issue.id))
  }

  return {
    list: () =>
      serially(async () => {
        // Read the ready issues first: an issue that becomes ready in between is only one poll late.
        const ready = await tracker.ready()
        const issues = await tracker.list()
        names.learn(issues)
        const taken = new Set(issues.filter(isOthers).map(names.nameOf))
        const tasks = toTasks(issues, ready, names.nameOf).map((task) =>
          taken.has(task.id) ? { ...task, taken: true as const } : task,
        )
        sent.clear()
        for (const task of tasks) sent.set(task.id, task)
        return changes.news(tasks)
      }),
    claim: (name, by) =>
      serially(async () => {
        const id = await idOf(name)
        if (id === null) return false
        const { won, now } = await claimIssue(tracker, id, by, options.root)
        if (won) hands.take(id, by)
        expect(now)
        return won
      }),
    update: (name, change) => serially(() => send(name, change)),
    close: (name, change) => serially(() => send(name, change)),
    add: (task, at) =>
      serially(async () => {
        names.learn(await tracker.list())
        if (!names.knows(task.id)) await make(task, at)
      }),
    settle: () => serially(async () => {}),
  }
}

function optionsForChange(
  issue: BeadsIssue,
  change: SourceUpdate & { status: keyof typeof statusWord },
  owner: string,
): string[] {
  const [status, note] = [statusWord[change.status], noteFor(issue, change)]
  // An issue that is not in progress has no assignee.
  const assignee = status === 'in_progress' ? issue.assignee || owner : ''
  return [
    ...(issue.status === status ? [] : [`--status=${status}`]),
    ...(issue.assignee === assignee ? [] : [`--assignee=${assignee}`]),
    ...(note === null ? [] : [`--append-notes=${note}`]),
  ]
}
