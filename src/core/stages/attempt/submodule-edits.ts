/** Uncommitted edits inside a submodule: reported as a finding, and named in the failure when nothing else changed. */
import type { RunState } from '../../../model/state.ts'
import type { SubmoduleWork } from '../../../model/work.ts'
import { record, type Proposal } from '../../proposal.ts'

type Edits = Extract<SubmoduleWork, { kind: 'edits' }>

const isEdits = (work: SubmoduleWork): work is Edits => work.kind === 'edits'

const commitThem = 'Commit them inside the submodule to make them part of the task.'

const title = 'edits inside a submodule will not land'

function lineOf({ path, kept, noCopy }: Edits): string {
  const said = `the changes inside the submodule \`${path}\` are not committed there and will not land`
  if (kept !== null)
    return `${said}; they are kept as ${kept} in ${noCopy ? 'your repository' : "the checkout's copy of the submodule"}`
  const why = noCopy
    ? 'Looper could not read all of them, or they may hold a known secret'
    : 'they may hold a known secret'
  return `${said}; they are not kept, because ${why}`
}

/** Null when there are none, or when the same finding is already recorded. */
export function unlandedEdits(
  state: RunState,
  submodules: readonly SubmoduleWork[],
  task: string | null,
  inspection: string,
): Proposal | null {
  if (submodules.length === 0) return null
  const detail = submodules.filter(isEdits).map(lineOf).join('\n')
  if (detail === '') return null
  const isKnown = state.findings.some(
    (known) => known.task === task && known.title === title && known.detail === detail,
  )
  return isKnown
    ? null
    : record({ type: 'finding.raised', severity: 'WARNING', title, detail, task, origin: `${inspection}/submodules` })
}

/** The text for an attempt that changed nothing else; empty when there are no such edits. */
export const editsText = (submodules: readonly SubmoduleWork[]): string =>
  submodules
    .filter(isEdits)
    .map((edits) => `- ${lineOf(edits)}. ${commitThem}`)
    .join('\n')
