/** The result of `looper apply` as text for the user. */
import { firstNames } from '../../model/and-more.ts'
import type { ApplyStyle } from '../../model/config.ts'
import type { RunState } from '../../model/state.ts'
import { attentionText } from '../../views/status/attention.ts'
import { plural } from '../../views/text/format.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { Applied } from '../../workspace/landing/apply-run.ts'

interface HowApplied {
  style: ApplyStyle
  /** The evidence for the result; empty when no check was needed. */
  proof: string
  isHooked: boolean
}

/** What was applied, how it was proven, and what the user should know about the run. */
export function appliedText(state: RunState, applied: Applied, { style, proof, isHooked }: HowApplied): string {
  const proven = proof === '' ? '' : ` ${proof}`
  const hooked = isHooked && applied.made === 0 ? ' No commit was made, so no hook ran.' : ''
  const after = applied.status === 'applied' ? `${hooked}${notDone(state)}${openProblems(state)}` : ''
  return `${resultText(state, applied, style)}${proven}${after}`
}

function resultText(state: RunState, applied: Applied, style: ApplyStyle): string {
  const { status, commit, onto, merged, made, files } = applied
  const how = merged ? ' (a merge)' : made === 0 ? '' : style === 'squash' ? ' (one commit)' : ' (rebased)'
  const tip = `${commit.slice(0, 8)}${how}`
  const { run, base } = state
  switch (status) {
    case 'nothing':
      return `Nothing to apply: ${nothingLeft(state)} \`looper report ${run}\` shows what it did.`
    case 'already':
      return `${run} is already in ${onto === null ? 'your checkout' : `your branch ${plain(onto)}`}.`
    case 'applied':
      return (
        `Applied ${run}: ${plural(files, 'file')} changed, ${branchText(onto, base.branch)} is at ${tip}.`
        + (onto === null ? keep : '')
      )
  }
}

const keep = ' HEAD is on no branch: `git switch -c <name>` keeps the commit.'

const branchText = (onto: string | null, started: string | null): string => {
  if (onto === null) return 'HEAD'
  const other = started === null || started === onto ? '' : ` (the run started from ${plain(started)})`
  return `your branch ${plain(onto)}${other}`
}

/** Why the run's branch has no changes, and where those are that a rollback removed. */
function nothingLeft({ run, antiPatterns }: RunState): string {
  const kept = antiPatterns.findLast((each) => each.kept !== undefined)?.kept
  if (kept === undefined) return `${run} has landed no changes.`
  return (
    `what ${run} landed was rolled back. Its commits are kept in ${kept}: \`git merge ${kept}\` brings them into your`
    + ` branch, and \`looper resume ${run}\` does the tasks again.`
  )
}

/** What a run that did not reach its goal leaves out. */
function notDone({ status, order, tasks }: RunState): string {
  if (status === 'completed') return ''
  const left = order.filter((id) => !['done', 'split', 'cancelled'].includes(tasks[id]?.status ?? 'done'))
  const missing = left.length === 0 ? '' : `: ${firstNames(left, 5)} ${left.length === 1 ? 'is' : 'are'} missing`
  return ` The run is not completed (${status})${missing}.`
}

/** Open problems that the user should see after applying the run. */
function openProblems(state: RunState): string {
  const { next } = state.convergence
  const known = next?.do === 'escalate' ? next.evidence : attentionText(state)
  return known === '' ? '' : ` Review this: ${known}.`
}
