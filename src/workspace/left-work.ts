/** What an agent made and nobody has taken: kept under the run's own refs before its work tree is used for anything else. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { plain } from '../views/plain-text.ts'
import { makeCommit } from './commit.ts'
import { git, type GitCall } from './git.ts'
import { readLooseRef } from './loose-ref.ts'
import type { Place } from './place.ts'
import { attemptOf, runRefFolder, type RunRefs } from './run-refs.ts'
import { safeName } from './safe-name.ts'
import type { Lease } from './slots.ts'
import { takeSnapshot, type Baseline } from './snapshot.ts'

export interface Keeping {
  root: string
  commonDir: string
  run: string
  refs: RunRefs
  /** Whether a ref has it, or Looper has made it. */
  isKnown(tree: string): boolean
  identity(): Promise<Record<string, string>>
  treeOf(commit: string, mark: string): Promise<string>
}

/** The files, and what was committed there. Costs next to nothing when Looper knows of nothing to keep. */
export async function keepLeftWork(place: Place, lease: Lease, keeping: Keeping, mark: string): Promise<void> {
  const made = await commitsMade(place, lease, keeping.commonDir)
  if (lease.settled) return made === null ? undefined : keep(made, null, lease, keeping, mark)
  const parent = made ?? lease.head
  const known = await keeping.treeOf(parent, mark)
  const tree = await treeIn(place, { id: lease.head, tree: await keeping.treeOf(lease.head, mark) }, mark)
  if (tree === known || keeping.isKnown(tree)) return made === null ? undefined : keep(made, known, lease, keeping, mark)
  const call: GitCall = { cwd: keeping.root, mark, env: await keeping.identity() }
  const message = `What was left of ${plain(lease.work, 60)}\n\nLooper-Run: ${plain(keeping.run)}\n`
  await keep({ tree, parents: [parent], message, call }, tree, lease, keeping, mark)
}

/** Only what was committed there: before its HEAD is put elsewhere. */
export async function keepCommits(place: Place, lease: Lease, keeping: Keeping, mark: string): Promise<void> {
  const made = await commitsMade(place, lease, keeping.commonDir)
  if (made !== null) await keep(made, null, lease, keeping, mark)
}

async function commitsMade({ gitDir }: Place, { head }: Lease, commonDir: string): Promise<string | null> {
  const text = (await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')).trim()
  const ref = /^ref: (refs\/\S+)$/.exec(text)?.[1]
  const commit = ref === undefined ? text : await readLooseRef(commonDir, ref)
  return commit === null || commit === head || !/^[0-9a-f]{40,64}$/.test(commit) ? null : commit
}

/** An index that cannot be read is made anew. */
async function treeIn(place: Place, base: Baseline, mark: string): Promise<string> {
  const look = async (): Promise<string> => (await takeSnapshot(place, base, 'content', mark)).tree
  return look().catch(async (error: unknown) => {
    if (!(error instanceof LooperError) || error.code !== 'WORKSPACE_GIT') throw error
    await rm(place.index, { force: true })
    return look()
  })
}

type Finding = string | { tree: string; parents: string[]; message: string; call: GitCall }

/** Once only, however often it is asked for. `tree` null: whatever the commit has. */
async function keep(found: Finding, tree: string | null, lease: Lease, { root, run, refs }: Keeping, mark: string): Promise<void> {
  const folder = `${runRefFolder(run)}/${safeName(lease.workspace)}`
  const listed = await git(['for-each-ref', '--format=%(refname) %(objectname) %(tree) %(parent)', folder], { cwd: root, mark })
  const kept = listed.split('\n').filter((line) => line !== '').map((line) => line.split(' '))
  const parent = typeof found === 'string' ? found : found.parents[0]
  const isKept = kept.some(([, commit, content, ...parents]) =>
    (tree === null || content === tree) && (commit === parent || parents.includes(parent ?? '')))
  if (isKept) return
  const commit = typeof found === 'string' ? found : await makeCommit(found, found.call)
  const names = new Set(kept.map(([name]) => name))
  const name = (n: number): string => `${folder}/${attemptOf(lease.work)}-left${n === 1 ? '' : n}`
  let n = 1
  while (names.has(name(n))) n++
  await refs.move({ kept: [{ ref: name(n), commit }] }, mark)
}
