/** The files that a release changes: computed before anything is written, and again when a release is resumed. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { whenExists } from '../../platform/files.ts'
import { hasRelease, notesOf, releaseChangelog, subjectList, type Release } from './changelog.ts'
import { git } from '../../workspace/git/git.ts'
import type { ReleaseState } from './release-state.ts'
import { readVersionFiles, type VersionFile, type VersionFiles } from './version-files.ts'

export interface Edit {
  path: string
  /** For display: `1.2.0 → 1.3.0`. */
  what: string
  /** Null when the file did not exist. */
  before: string | null
  after: string
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Hashes of the edits, as recorded in the state file. */
export const fingerprints = (edits: readonly Edit[]): ReleaseState['edits'] =>
  edits.map(({ path, before, after }) => ({
    path,
    before: before === null ? null : hashOf(before),
    after: hashOf(after),
  }))

/** Only files that git tracks are part of a release. */
export async function trackedVersionFiles(root: string): Promise<VersionFiles> {
  const { leading, following } = await readVersionFiles(root)
  const paths = [...leading, ...following].map(({ path }) => path)
  if (paths.length === 0) return { leading, following }
  const known = (await git(['ls-files', '-z', '--', ...paths], { cwd: root })).split('\0')
  const tracked = ({ path }: VersionFile): boolean => known.includes(path)
  return { leading: leading.filter(tracked), following: following.filter(tracked) }
}

/** Empty when the files already have that version. */
export async function versionEdits(root: string, version: string): Promise<Edit[]> {
  const { leading, following } = await trackedVersionFiles(root)
  const named = leading.length === 0 ? [] : [...leading, ...following]
  return named.flatMap((file: VersionFile): Edit[] => {
    const after = file.with(version)
    return after === file.text
      ? []
      : [{ path: file.path, what: `${file.version} → ${version}`, before: file.text, after }]
  })
}

/**
 * The edit of the changelog, or null when none is needed, and the release notes. `path` null means that there is no
 * changelog.
 */
export async function changelogEdit(
  root: string,
  path: string | null,
  release: Release,
): Promise<{ edit: Edit | null; notes: string }> {
  if (path === null) return { edit: null, notes: subjectList(release.subjects) }
  const before = await readText(root, path)
  if (before !== null && hasRelease(before, release.version))
    return { edit: null, notes: notesOf(before, release.version) }
  const { text, notes } = releaseChangelog(before ?? '', release)
  return {
    edit: { path, what: before === null ? 'created' : `a section for ${release.version}`, before, after: text },
    notes,
  }
}

export const readText = (root: string, path: string): Promise<string | null> =>
  whenExists(readFile(join(root, path), 'utf8'), join(root, path))
