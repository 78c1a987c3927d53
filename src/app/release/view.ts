/** Describes a release before it is performed: the steps to do, and those already done. */
import type { CheckConfig } from '../../model/config.ts'
import type { ReleaseView } from '../../api/release.ts'
import { versionEdits } from './edits.ts'
import type { ReleaseState, StepId } from './release-state.ts'
import { subjectOf } from './steps.ts'

interface More {
  checks: readonly CheckConfig[]
  resumed: boolean
  warnings: string[]
}

export async function viewOf(root: string, state: ReleaseState, more: More): Promise<ReleaseView> {
  const { version, tag, before, branch, target, notes } = state
  const inFiles = await versionEdits(root, version)
  const changed = state.edits.map(({ path }) => path).filter((path) => path !== state.changelog)
  const what: Record<StepId, string> = {
    checks: more.checks.length === 0 ? 'none: nothing is proven' : more.checks.map(({ run }) => run).join(', '),
    version: (inFiles.length > 0 ? inFiles.map((edit) => `${edit.path} ${edit.what}`) : changed).join(', '),
    changelog: `${state.changelog ?? ''}: a section for ${version}`,
    commit: subjectOf(state),
    tag,
    push: target === null ? '' : `${target.ref.replace('refs/heads/', '')} and ${tag} to ${target.remote}`,
    release: 'on GitHub, with gh',
  }
  return {
    version,
    tag,
    before,
    branch,
    remote: target?.remote ?? null,
    resumed: more.resumed,
    notes,
    warnings: more.warnings,
    steps: state.steps.map((step) => ({ step, what: what[step], done: state.done.includes(step) })),
  }
}
