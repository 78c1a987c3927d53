/**
 * Decides whether a passed check tested its own tree. Another process that writes into verification workspaces can make
 * it pass. A formatter or a snapshot test changes files of the tree as part of the check.
 */
import type { Workspaces } from '../workspace/workspaces.ts'
import type { CheckOutcome, CheckWork } from '../model/work.ts'

/** Runs the check again in another folder. */
export type Again = (cwd: string) => Promise<CheckOutcome>

/** Returns the outcome that counts. May throw what `Workspaces.renewed` throws. */
export type ConfirmCheck = (work: CheckWork, outcome: CheckOutcome, again: Again) => Promise<CheckOutcome>

/**
 * When files of the tree changed, the check runs again in a new workspace, beside a control workspace in which nothing
 * runs. Changes in the control come from another process. Without any, the check itself changes the files: they are
 * remembered, so that it does not run twice each time.
 */
export function createConfirmCheck(workspaces: Pick<Workspaces, 'altered' | 'renewed'>): ConfirmCheck {
  /** Files of the tree that a command is known to change, by command. */
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

/** Bounds the list, because the journal stores it. */
const mostNamed = 20
