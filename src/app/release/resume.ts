/** Resumes an unfinished release: decides which steps are still valid and which must be repeated. */
import type { ReleaseRequest } from '../../api/release.ts'
import type { Repository } from '../../workspace/git/repository.ts'
import { changelogEdit, fingerprints, versionEdits } from './edits.ts'
import { refuse, refuseDirty, type Plan } from './plan.ts'
import { stepIds, type ReleaseState } from './release-state.ts'
import { dirtyPaths, subjectsSince } from './release-git.ts'
import { ownCommit } from './steps.ts'
import { levels } from './version.ts'

/** Throws USAGE_RELEASE when the branch or the version is not that of the release, or its commit is no longer HEAD. */
export async function goOn(
  { root, branch, head }: Repository,
  state: ReleaseState,
  request: ReleaseRequest,
): Promise<Plan> {
  refuseOther(state, request, branch)
  await refuseDirty(
    root,
    state.edits.map(({ path }) => path),
  )
  const more = request.release && state.target !== null
  const going: ReleaseState = {
    ...state,
    steps: stepIds.filter((step) => state.steps.includes(step) || (more && step === 'release')),
  }
  if (state.done.includes('commit') || state.done.includes('tag')) {
    if (head === state.commit) return { state: going, notes: [] }
    const last = state.done.includes('tag') ? 'tagged' : 'committed'
    const hint = `Put ${state.branch} back to ${state.commit?.slice(0, 8)}, or undo the release: looper release --abort`
    throw refuse(`HEAD has moved since ${state.tag} was ${last}.`, hint)
  }
  // The commit may have been made without being recorded; the commit step detects that.
  if (head === state.base || (await ownCommit(root, state)) !== null) return { state: going, notes: [] }
  return { state: await anew(root, going, head), notes: ['the branch has moved on since: the checks run again'] }
}

function refuseOther(
  { version, tag, branch: begun }: ReleaseState,
  { version: wanted }: ReleaseRequest,
  branch: string | null,
): void {
  if (wanted !== null && !levels.some((level) => level === wanted) && wanted.replace(/^v/, '') !== version) {
    throw refuse(
      `The release of ${tag} is not finished.`,
      'Continue it (looper release), or undo it: looper release --abort',
    )
  }
  if (branch !== begun)
    throw refuse(`The release of ${tag} was started on ${begun}, not here.`, `Change to it: git switch ${begun}`)
}

/**
 * HEAD has changed since the checks ran, so all steps are repeated. Edits of files that are as committed are computed
 * again.
 */
async function anew(root: string, state: ReleaseState, head: string): Promise<ReleaseState> {
  const dirty = await dirtyPaths(root)
  const { edit } = await changelogEdit(root, state.changelog, {
    ...state,
    subjects: await subjectsSince(root, state.before),
  })
  const all = [...(await versionEdits(root, state.version)), ...(edit === null ? [] : [edit])]
  const fresh = fingerprints(all.filter(({ path }) => !dirty.includes(path)))
  const kept = state.edits.filter(({ path }) => !fresh.some((other) => other.path === path))
  return { ...state, base: head, done: [], edits: [...kept, ...fresh] }
}
