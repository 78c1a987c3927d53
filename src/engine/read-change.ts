/** Reads a change for the guard: the changed files, and the files that define what checks run and read. */
import type { Trees } from '../model/ports/site.ts'
import type { GuardedChange, TamperGuard } from '../model/tamper.ts'

/** Larger files are not tests that a person wrote. */
const maxBytes = 1_000_000
/** Bounds the search: a check runs a script, which sources a file, which sources another. */
const maxRounds = 3

type Reader = Pick<Trees, 'contents' | 'changedPaths' | 'mentioning'>
type Guide = Pick<TamperGuard, 'beside' | 'alsoRead' | 'searched' | 'worthReading'>

export async function readChange(
  trees: Reader,
  { beside, alsoRead, searched, worthReading }: Guide,
  checks: readonly string[],
  sides: { base: string; tree: string },
): Promise<GuardedChange> {
  const { base, tree } = sides
  const changed = await trees.changedPaths(base, tree)
  const also = new Set(beside)
  let files = await trees.contents(base, tree, maxBytes, [...also])
  const words = searched({ changed, files, checks })
  const found = words.length === 0 ? [] : worthReading(await trees.mentioning(base, words))
  for (const path of found) also.add(path)
  if (found.length > 0) files = await trees.contents(base, tree, maxBytes, [...also])
  for (let round = 0; round < maxRounds; round += 1) {
    const more = alsoRead(files, checks).filter((path) => !also.has(path))
    if (more.length === 0) break
    for (const path of more) also.add(path)
    files = await trees.contents(base, tree, maxBytes, [...also])
  }
  return { changed, files, checks }
}
