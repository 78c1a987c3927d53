/** Plans a release without changing anything, and refuses one that would fail. */
import { readdir } from 'node:fs/promises'
import { LooperError } from '../../model/error.ts'
import type { ReleaseRequest } from '../../api/release.ts'
import { plural } from '../../views/text/format.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { Repository } from '../../workspace/git/repository.ts'
import { changelogEdit, fingerprints, trackedVersionFiles, versionEdits } from './edits.ts'
import type { ReleaseState, StepId } from './release-state.ts'
import {
  askRemote,
  countSince,
  dirtyPaths,
  isAncestor,
  lastTag,
  pushTarget,
  resolve,
  subjectsSince,
  type Tag,
  type Target,
} from './release-git.ts'
import { compareVersions, levels, parseVersion, raise, versionText, type Level, type Version } from './version.ts'

export const refuse = (message: string, hint?: string): LooperError =>
  new LooperError('USAGE_RELEASE', message, { hint })

/** The planned release, and warnings about it. */
export interface Plan {
  state: ReleaseState
  notes: string[]
}

/** Plans a new release. Throws USAGE_RELEASE or WORKSPACE_DIRTY. */
export async function planRelease(
  { root, branch, head }: Repository,
  request: ReleaseRequest,
  today: string,
): Promise<Plan> {
  if (branch === null)
    throw refuse('HEAD is detached: a release needs a branch.', 'Check out the branch to release from: git switch main')
  await refuseDirty(root, [])
  const last = await lastTag(root)
  if (last !== null && (await countSince(root, last.name)) === 0) {
    throw refuse(`There is nothing to release: nothing was committed since ${last.name}.`)
  }
  const version = versionText(await chooseVersion(root, request.version, last))
  const tag = `${last?.prefix ?? 'v'}${version}`
  if ((await resolve(root, `refs/tags/${tag}`)) !== null) {
    throw refuse(`The tag ${tag} exists already.`, `Name another version, or look at it: git show ${tag}`)
  }
  const target = request.push ? await targetFor(root, branch, request.remote) : null
  const notes = target === null ? [] : await askAbout(root, target, tag, head)
  const changelog =
    (await readdir(root)).find((name) => /^changelog\.md$/i.test(name)) ?? (request.changelog ? 'CHANGELOG.md' : null)
  const base = { version, tag, before: last?.name ?? null, date: today, branch, base: head, target, changelog }
  const missing = changelog === null ? ['there is no CHANGELOG.md; --changelog creates one'] : []
  return { state: await withEdits(root, base, request), notes: [...notes, ...missing] }
}

type Base = Pick<ReleaseState, 'version' | 'tag' | 'before' | 'date' | 'branch' | 'base' | 'target' | 'changelog'>

async function withEdits(root: string, base: Base, request: ReleaseRequest): Promise<ReleaseState> {
  const inFiles = await versionEdits(root, base.version)
  const { edit, notes } = await changelogEdit(root, base.changelog, {
    ...base,
    subjects: await subjectsSince(root, base.before),
  })
  const edits = fingerprints([...inFiles, ...(edit === null ? [] : [edit])])
  const wanted: Record<StepId, boolean> = {
    checks: true,
    version: inFiles.length > 0,
    changelog: edit !== null,
    commit: edits.length > 0,
    tag: true,
    push: base.target !== null,
    release: request.release,
  }
  const steps = (Object.keys(wanted) as StepId[]).filter((step) => wanted[step])
  return { format: 1, ...base, steps, done: [], notes, edits, commit: null }
}

/** `allowed`: files that the release itself has changed. */
export async function refuseDirty(root: string, allowed: readonly string[]): Promise<void> {
  const dirty = (await dirtyPaths(root)).filter((path) => !allowed.includes(path))
  if (dirty.length === 0) return
  const named = dirty
    .slice(0, 3)
    .map((path) => plain(path))
    .join(', ')
  const count = `${plural(dirty.length, 'file')} ${dirty.length === 1 ? 'is' : 'are'}`
  const message = `A release needs a clean tree, but ${count} not as committed: ${named}${dirty.length > 3 ? ' …' : ''}`
  throw new LooperError('WORKSPACE_DIRTY', message, {
    hint: 'Commit, stash or ignore them, and try again.',
    details: { dirty },
  })
}

/**
 * The named version, or the named level of increase. By default the version in the files when it is not released yet,
 * else the next patch.
 */
async function chooseVersion(root: string, wanted: string | null, last: Tag | null): Promise<Version> {
  const files = (await trackedVersionFiles(root)).leading
  const written =
    files.flatMap(({ version }) => parseVersion(version) ?? []).toSorted((a, b) => compareVersions(b, a))[0] ?? null
  const known = [written, last?.version ?? null]
    .filter((version) => version !== null)
    .toSorted((a, b) => compareVersions(b, a))[0]
  const odd = files.find(({ version }) => parseVersion(version) === null)
  if (odd !== undefined && known === undefined && named(wanted) === null) {
    const what = `The version in ${odd.path}, "${plain(odd.version, 40)}", is not of the form 1.2.3.`
    throw refuse(what, 'Name the one to release: looper release 1.2.3')
  }
  const version = wantedVersion(wanted, known ?? { major: 0, minor: 0, patch: 0, pre: [], build: '' }, written, last)
  const hint = 'Name a higher version, or a level: major, minor, patch.'
  if (last !== null && compareVersions(version, last.version) <= 0) {
    throw refuse(`${versionText(version)} is not above ${versionText(last.version)}, the last release.`, hint)
  }
  if (written !== null && compareVersions(version, written) < 0) {
    throw refuse(`${versionText(version)} is below ${versionText(written)}, which is in the files.`, hint)
  }
  return version
}

const named = (wanted: string | null): Version | null =>
  wanted === null ? null : parseVersion(wanted.replace(/^v/, ''))

function wantedVersion(wanted: string | null, known: Version, written: Version | null, last: Tag | null): Version {
  const unreleased = written !== null && (last === null || compareVersions(written, last.version) > 0)
  if (wanted === null) return unreleased ? written : raise(known, 'patch')
  if (levels.includes(wanted as Level)) return raise(known, wanted as Level)
  const version = named(wanted)
  if (version === null)
    throw refuse(`"${plain(wanted, 60)}" is neither a version like 1.2.3 nor one of ${levels.join(', ')}.`)
  return version
}

async function targetFor(root: string, branch: string, remote: string | null): Promise<Target> {
  const target = await pushTarget(root, branch, remote)
  if (target !== null) return target
  if (remote !== null) throw refuse(`There is no remote "${plain(remote, 60)}".`, 'git remote -v lists them.')
  const hint = 'Add one (git remote add origin <url>), name one (--remote), or keep the release here: --no-push'
  throw refuse('There is no remote to push to.', hint)
}

/** Checks the remote for a tag or commits that would make the push fail, before the release is committed. */
async function askAbout(root: string, { remote, ref }: Target, tag: string, head: string): Promise<string[]> {
  const there = await askRemote(root, remote, [ref, `refs/tags/${tag}`])
  if (typeof there === 'string') return [`${remote} did not answer: ${there}`]
  if (there.has(`refs/tags/${tag}`))
    throw refuse(`The tag ${tag} exists already on ${remote}.`, `Get it: git fetch ${remote} --tags`)
  const newest = there.get(ref)
  const name = ref.replace('refs/heads/', '')
  if (newest !== undefined && !(await isAncestor(root, newest, head))) {
    throw refuse(`${remote} has commits on ${name} that are not here.`, `Get them first: git pull ${remote} ${name}`)
  }
  return []
}
