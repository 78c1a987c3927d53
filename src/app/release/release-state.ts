/**
 * The progress of a release, in `.looper/release.json`: written before and after each step, so that a second call can
 * resume it.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { whenExists, writeAtomic } from '../../platform/files.ts'
import { ensureLooperFolder } from '../../workspace/looper-folder.ts'
import type { Target } from './release-git.ts'

export const stepIds = ['checks', 'version', 'changelog', 'commit', 'tag', 'push', 'release'] as const
export type StepId = (typeof stepIds)[number]

export interface ReleaseState {
  format: 1
  version: string
  tag: string
  /** The tag of the previous release. */
  before: string | null
  date: string
  branch: string
  /** The HEAD that the checks ran on. */
  base: string
  /** Steps of this release, in order. */
  steps: StepId[]
  done: StepId[]
  /** Where it is pushed to; null for a local release. */
  target: Target | null
  changelog: string | null
  notes: string
  /** Hashes of the changed files, before and after. */
  edits: { path: string; before: string | null; after: string }[]
  /** The commit that is tagged; null until it is known. */
  commit: string | null
}

const releaseStateFile = (root: string): string => join(root, '.looper', 'release.json')
/** The name of the file in versions whose command was `looper push`. */
const olderStateFile = (root: string): string => join(root, '.looper', 'push.json')

/** Null when no release is in progress. */
export async function readReleaseState(root: string): Promise<ReleaseState | null> {
  const read = (file: string): Promise<string | null> => whenExists(readFile(file, 'utf8'), file)
  const text = (await read(releaseStateFile(root))) ?? (await read(olderStateFile(root)))
  if (text === null) return null
  const state = parsed(text)
  if (state !== null) return state
  throw new LooperError('USAGE_RELEASE', '.looper/release.json cannot be read as a release under way.', {
    hint: 'Look at what git says (git status, git tag), delete the file, and start again.',
  })
}

/** Only Looper writes this file, so it is enough to check that it is complete. */
function parsed(text: string): ReleaseState | null {
  try {
    const value: unknown = JSON.parse(text)
    const whole = typeof value === 'object' && value !== null && 'format' in value && value.format === 1
    return whole && ['done', 'steps', 'edits'].every((name) => name in value) ? (value as ReleaseState) : null
  } catch {
    return null
  }
}

export async function writeReleaseState(root: string, state: ReleaseState): Promise<void> {
  await ensureLooperFolder(root)
  await writeAtomic(releaseStateFile(root), `${JSON.stringify(state, null, 2)}\n`)
  await rm(olderStateFile(root), { force: true })
}

export async function removeReleaseState(root: string): Promise<void> {
  for (const file of [releaseStateFile(root), olderStateFile(root)]) await rm(file, { force: true })
}
