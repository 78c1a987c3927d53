/**
 * `looper release --abort`: undoes the local steps of a release that is not pushed, and reports what it keeps and why.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { git, tryGit } from '../../workspace/git/git.ts'
import { findRepository } from '../../workspace/git/repository.ts'
import type { AppContext } from '../context.ts'
import { hashOf, readText } from './edits.ts'
import { refuse } from './plan.ts'
import { ownRelease } from './release.ts'
import { readReleaseState, removeReleaseState, type ReleaseState } from './release-state.ts'
import { askRemote, resolve } from './release-git.ts'
import { ownCommit } from './steps.ts'

/**
 * Returns one line for each thing that was undone or kept. Throws USAGE_RELEASE, with nothing undone, when the release
 * cannot be undone.
 */
export async function abortRelease(context: AppContext): Promise<string[]> {
  const { root, branch, head } = await findRepository(context.cwd)
  const lock = await ownRelease(root)
  try {
    const state = await readReleaseState(root)
    if (state === null) throw refuse('There is no release to undo.')
    await refusePublic(root, state)
    const messages = [
      ...(await undoTag(root, state)),
      ...(await undoCommit(root, state, branch, head)),
      ...(await undoFiles(root, state)),
    ]
    await removeReleaseState(root)
    return messages.length === 0 ? ['nothing was changed'] : messages
  } finally {
    await lock.release()
  }
}

/**
 * Refuses to undo a release that is pushed, because others may have fetched it. When the remote cannot be asked, it
 * counts as pushed.
 */
async function refusePublic(root: string, { tag, target, steps, done }: ReleaseState): Promise<void> {
  const fixIt = 'Release a higher version instead; delete .looper/release.json to forget this one.'
  if (done.includes('push')) throw refuse(`${tag} is pushed, and cannot be undone here.`, fixIt)
  const tried = target !== null && steps.slice(0, steps.indexOf('push')).every((step) => done.includes(step))
  if (!tried) return
  const there = await askRemote(root, target.remote, [`refs/tags/${tag}`])
  const hint = `Try again when ${target.remote} can be reached.`
  if (typeof there === 'string') throw refuse(`It is unknown whether ${tag} was pushed: ${there}`, hint)
  if (there.size > 0) throw refuse(`${tag} is on ${target.remote}, and cannot be undone here.`, fixIt)
}

/** Deletes the tag only when it points to the released commit. */
async function undoTag(root: string, { tag, commit, base }: ReleaseState): Promise<string[]> {
  const object = await resolve(root, `refs/tags/${tag}`)
  if (object === null) return []
  const at = await resolve(root, `refs/tags/${tag}^{commit}`)
  if (at !== (commit ?? base)) return [`the tag ${tag} stays: it is at another commit`]
  await git(['update-ref', '-d', `refs/tags/${tag}`, object], { cwd: root })
  return [`the tag ${tag} is gone`]
}

/** `--keep` makes git refuse the reset rather than lose a change in the checkout. */
async function undoCommit(root: string, state: ReleaseState, branch: string | null, head: string): Promise<string[]> {
  const commit = state.commit ?? head
  if ((await ownCommit(root, state, commit)) === null) return []
  const name = `the commit ${commit.slice(0, 8)}`
  if (branch !== state.branch) return [`${name} stays: ${state.branch} is not checked out`]
  if (head !== commit) return [`${name} stays: there are commits on top of it`]
  const reset = await tryGit(['reset', '--quiet', '--keep', state.base], { cwd: root })
  return [
    reset.exitCode === 0
      ? `${name} is gone, and its files are as before`
      : `${name} stays: there are changes in its files`,
  ]
}

/** A file that was edited by hand since then is left as it is. */
async function undoFiles(root: string, { edits, base }: ReleaseState): Promise<string[]> {
  if ((await resolve(root, 'HEAD^{commit}')) !== base) return []
  const messages: string[] = []
  for (const { path, before, after } of edits) {
    const text = await readText(root, path)
    const hash = text === null ? null : hashOf(text)
    if (hash === before) continue
    if (hash !== after) messages.push(`${path} stays: it was changed by hand since`)
    else if (before === null) {
      await git(['rm', '--cached', '--quiet', '--ignore-unmatch', '--', path], { cwd: root })
      await rm(join(root, path), { force: true })
      messages.push(`${path} is gone`)
    } else {
      await git(['restore', `--source=${base}`, '--staged', '--worktree', '--', path], { cwd: root })
      messages.push(`${path} is as before`)
    }
  }
  return messages
}
