/** Combines two trees: one tree with some files of another, such as new tests on old code or old tests on new code. */
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TreeOverlay } from '../../model/ports/site.ts'
import { git, type GitCall } from './git.ts'
import type { Change } from './change.ts'
import { compareTrees } from './tree-changes.ts'

/** See `Workspaces.overlay`. `scratch` is a temporary index that is removed afterwards. */
export async function overlayTree(
  { base, tree, paths, files }: TreeOverlay,
  scratch: string,
  own: GitCall,
): Promise<string> {
  const chosen = new Set(paths)
  const call: GitCall = { ...own, env: { ...own.env, GIT_INDEX_FILE: scratch } }
  const changes = (await compareTrees(base, tree, call)).filter(({ path }) => chosen.has(path))
  await mkdir(dirname(scratch), { recursive: true })
  await rm(scratch, { force: true })
  await git(['read-tree', base], call)
  const modes = new Map(
    (await compareTrees(base, tree, call)).map(({ path, from, to }) => [path, (from ?? to)?.mode ?? '100644']),
  )
  const written = await Promise.all(
    files.map(async ({ path, content }) => {
      const object = await git(['hash-object', '-w', '--stdin'], { ...call, input: content })
      return `${modes.get(path) ?? '100644'} ${object}\t${path}\0`
    }),
  )
  const lines = [...changes.map(lineOf), ...written]
  if (lines.length > 0) await git(['update-index', '-z', '--index-info'], { ...call, input: lines.join('') })
  const result = await git(['write-tree'], call)
  await rm(scratch, { force: true })
  return result
}

function lineOf({ path, from, to }: Change): string {
  const nothing = `0 ${'0'.repeat((from ?? to)?.object.length ?? 40)}`
  return `${to ? `${to.mode} ${to.object}` : nothing}\t${path}\0`
}
