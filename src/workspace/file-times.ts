/**
 * One time of modification for all files of a tree. In a workspace that was moved from another tree, files that differ
 * would be newer than the others: `make` and `test -nt` would decide otherwise than in a fresh clone.
 */
import { lstatSync, lutimesSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { readIndexTimes } from './index-times.ts'
import { entryOf, pathOf, type Manifest } from './manifest.ts'
import type { Place } from './place.ts'

/** Older than everything that is written later, so that git need not read files again to compare them. */
export const timeOfFiles = (nowMs: number): number => Math.floor(nowMs / 1_000) - 1

/** Files of the tree that have another time. */
export const otherTimes = (manifest: Manifest, seconds: number): string[] => [...manifest]
  .filter(([, { folder, brought, modifiedMs }]) => !folder && !brought && modifiedMs !== seconds * 1_000)
  .map(([path]) => path)

export interface NewTimes {
  paths: readonly string[]
  seconds: number
  /** Files that differ from what git wrote. They get no time, and git takes them for changed from now on. */
  written: ReadonlySet<string>
  /** The length of an object id. */
  idBytes: 20 | 32
}

/** Sets the time of the files, in the manifest and in the index as well. */
export async function setTimes(
  { path: root, index: file }: Place, manifest: Manifest, { paths, seconds, written, idBytes }: NewTimes,
): Promise<void> {
  const index = readIndexTimes(file, idBytes)
  if (index === null) return
  // Git compares contents where a file is as young as the index, and the index gets younger here.
  for (const path of written) index.set(path, { changedNs: 0n, modifiedNs: 0n })
  for (const [at, path] of paths.entries()) {
    const entry = manifest.get(path)
    if (!entry || written.has(path) || index.modifiedMs.get(path) !== entry.modifiedMs) continue
    const full = pathOf(root, path)
    lutimesSync(full, seconds, seconds)
    Object.assign(entry, entryOf(lstatSync(full)))
    const { ctimeNs, mtimeNs } = lstatSync(full, { bigint: true })
    index.set(path, { changedNs: ctimeNs, modifiedNs: mtimeNs })
    if (at % 1_000 === 999) await setImmediate()
  }
  index.write()
}
