/**
 * Checks whether a conflict is resolved: no marker or file that git wrote for it is left, and the result combines both
 * sides.
 */
import type { Unresolved } from '../../model/work.ts'
import { readChanged, readTexts } from '../git/contents.ts'
import { git, type GitCall } from '../git/git.ts'
import { namedFiles } from '../clones/inspect-outcome.ts'
import { hasNewMarkers, markerSize, onlyChooses, type Labels } from './markers.ts'
import { mergeTrees, type Stage } from '../git/merge-trees.ts'

export interface Conflict {
  /** The commit that was merged onto, and the commit to merge. */
  onto: string
  theirs: string
  /** The merge result of git, with markers. */
  tree: string
}

/** Larger files are not read, because conflicts in them are not resolved as text. */
const readBytes = 16 * 1024 * 1024
const usualSize = 7
const pathsAtOnce = 500

/** A path in conflict with its object in each version; null where the version has none. */
interface Contested {
  path: string
  /** Names that git gave to a side that it renamed out of the way. */
  aside: string[]
  base: string | null
  ours: string | null
  theirs: string | null
  merged: string | null
  result: string | null
}

export async function findUnresolved(conflict: Conflict, result: string, call: GitCall): Promise<Unresolved[]> {
  const labels: Labels = { ours: conflict.onto, theirs: conflict.theirs }
  const contested = await readContested(conflict, result, call)
  const objects = contested.flatMap(({ base, ours, theirs, merged, result: now }) => [base, ours, theirs, merged, now])
  const texts = await readTexts(
    objects.filter((object) => object !== null),
    readBytes,
    call,
  )
  const text = (object: string | null): string | null => (object === null ? null : (texts.get(object) ?? null))
  const found = contested.map(({ merged }) => markerSize(text(merged) ?? '', labels)).filter((size) => size !== null)
  const sizes = new Set(found.length === 0 ? [usualSize] : found)

  const open = contested.flatMap((each): Unresolved[] => {
    const [now, merged] = [text(each.result), text(each.merged)]
    if (each.aside.length > 0) return each.aside.map((file) => ({ file, why: 'left-over' }))
    const sides = { base: text(each.base), ours: text(each.ours), theirs: text(each.theirs) }
    if (isUntouched(each) || (now !== null && hasNewMarkers(now, sides, sizes, merged)))
      return [{ file: each.path, why: 'markers' }]
    const chooses = now !== null && merged !== null && onlyChooses(now, merged, labels)
    return chooses || isOneSide(each) ? [{ file: each.path, why: 'one-side' }] : []
  })
  const known = new Set(contested.map(({ path }) => path))
  const elsewhere = (await readChanged(conflict.tree, result, readBytes, call)).filter(({ path }) => !known.has(path))
  const marked = elsewhere.filter(
    ({ before, after }) =>
      after !== null && hasNewMarkers(after, { base: before, ours: before, theirs: before }, sizes, null),
  )
  return [...open, ...marked.map(({ path }): Unresolved => ({ file: path, why: 'markers' }))].slice(0, namedFiles)
}

const sidesWith = ({ base, ours, theirs }: Contested): number =>
  [base, ours, theirs].filter((object) => object !== null).length

/** The file is unchanged since the merge and equals neither side, so it still has its markers. */
const isUntouched = (each: Contested): boolean =>
  sidesWith(each) > 1
  && each.result !== null
  && each.result === each.merged
  && each.result !== each.ours
  && each.result !== each.theirs

/** A landed file must not be removed, but a landed deletion may stay. A file that only one side has is no conflict. */
function isOneSide(each: Contested): boolean {
  const { ours, theirs, result } = each
  if (result === null) return ours !== null
  return sidesWith(each) > 1 && (result === ours || result === theirs)
}

async function readContested({ onto, theirs, tree }: Conflict, result: string, call: GitCall): Promise<Contested[]> {
  const { stages } = await mergeTrees(onto, theirs, call)
  const made = new RegExp(`~(?:${onto}|${theirs})(?:_\\d+)?$`)
  const groups = new Map<string, Stage[]>()
  for (const stage of stages) {
    const path = stage.path.replace(made, '')
    groups.set(path, [...(groups.get(path) ?? []), stage])
  }
  const paths = [...new Set([...groups.keys(), ...stages.map(({ path }) => path)])]
  const [landed, own, merged, now] = await Promise.all(
    [onto, theirs, tree, result].map((id) => objectsAt(id, paths, call)),
  )
  return [...groups].map(([path, staged]) => {
    const side = (wanted: Stage['side']): string | null =>
      staged.find(({ side: given }) => given === wanted)?.object ?? null
    return {
      path,
      base: side('1'),
      ours: side('2') ?? landed?.get(path) ?? null,
      theirs: side('3') ?? own?.get(path) ?? null,
      merged: merged?.get(path) ?? null,
      result: now?.get(path) ?? null,
      aside: [...new Set(staged.map((stage) => stage.path))].filter((name) => name !== path && now?.has(name)),
    }
  })
}

/** The objects of a tree at these paths, files and folders. */
async function objectsAt(tree: string, paths: readonly string[], call: GitCall): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let at = 0; at < paths.length; at += pathsAtOnce) {
    const args = ['ls-tree', '-t', '-z', '--full-tree', tree, '--', ...paths.slice(at, at + pathsAtOnce)]
    const listed = await git(args, { ...call, env: { ...call.env, GIT_LITERAL_PATHSPECS: '1' } })
    for (const entry of listed.split('\0')) {
      const [, object, path] = /^\d+ \w+ ([0-9a-f]+)\t([^]+)$/.exec(entry) ?? []
      if (object !== undefined && path !== undefined) found.set(path, object)
    }
  }
  return found
}
