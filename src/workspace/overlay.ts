/** A tree that is one tree but for some files, which are another's: new tests on old code. */
import { rm } from 'node:fs/promises'
import { git } from './git.ts'
import type { Place } from './place.ts'
import { setEntries } from './snapshot.ts'
import { compareTrees } from './tree-changes.ts'

/** The tree of `base` with these paths as in `tree`, where they may be missing as well. Touches no file. */
export async function overlayTree(
  { place, base, tree, paths }: { place: Place; base: string; tree: string; paths: readonly string[] }, mark: string,
): Promise<string> {
  const chosen = new Set(paths)
  const changes = (await compareTrees(base, tree, { place, mark })).filter(({ path }) => chosen.has(path))
  const scratch: Place = { ...place, index: `${place.index}.overlay` }
  await rm(scratch.index, { force: true })
  await git(['read-tree', base], { place: scratch, mark })
  if (changes.length > 0) await setEntries(scratch, changes, 'to', mark)
  const result = await git(['write-tree'], { place: scratch, mark })
  await rm(scratch.index, { force: true })
  return result
}
