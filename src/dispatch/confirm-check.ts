/**
 * Finds out whether a green check saw its own tree. A process that writes into verification workspaces can make it
 * green without being part of it; a formatter or a snapshot test writes to files of the tree as part of the check.
 */
import type { Workspaces } from '../model/ports.ts'
import type { CheckOutcome, CheckWork } from '../model/work.ts'

/** Runs the check once more, in another folder. */
export type Again = (cwd: string) => Promise<CheckOutcome>

/** Returns the outcome that counts. May throw what `Workspaces.renewed` throws. */
export type ConfirmCheck = (work: CheckWork, outcome: CheckOutcome, again: Again) => Promise<CheckOutcome>

/**
 * When files of the tree changed, the check runs again in a new workspace, beside a control in which nothing runs.
 * Changes in the control are those of another process. Without any, the check changes the files itself: that is
 * remembered, so that it is not run twice each time.
 */
export function createConfirmCheck(workspaces: Pick<Workspaces, 'altered' | 'renewed'>): ConfirmCheck {
  /** By command, the files of the tree that it is known to change. */
  const known = new Map<string, Set<string>>()
  return async (work, outcome, again) => {
    if (work.commit === undefined || outcome.exitCode !== 0) return outcome
    const command = JSON.stringify(work.run)
    const expected = new Set(known.get(command))
    const { files: first } = await workspaces.altered(work.id)
    if (first.every((path) => expected.has(path))) return outcome
    const second = await again((await workspaces.renewed(work)).path)
    if (second.exitCode !== 0) return second
    for (const path of first) expected.add(path)
    const { files, control } = await workspaces.altered(work.id)
    const foreign = control.length > 0 ? control : files.filter((path) => !expected.has(path))
    if (foreign.length > 0) return { ...second, altered: foreign.slice(0, mostNamed) }
    known.set(command, new Set([...(known.get(command) ?? []), ...files]))
    return second
  }
}

/** The journal keeps them. */
const mostNamed = 20
