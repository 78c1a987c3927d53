/** What is on a branch: for each task the change that is there now. Trees are values, and one content has one name. */

export interface Change {
  task: string
  /** Does it do what the task asks for? */
  good: boolean
  /** Where it does not: is there a check that tells? */
  shows: boolean
  /** Tasks, or `base`, that no longer work with it. */
  breaks: readonly string[]
  /** Are the tests for it made weaker, so that they pass whatever it does? */
  weakened: boolean
  /** No two changes have the same. */
  version: number
}

export type Tree = Readonly<Record<string, Change>>

/** The key under which a merge that failed keeps what is between its markers. */
export const markers = '<<<<<<<'

export function createForest() {
  const names = new Map<string, string>()
  const trees = new Map<string, Tree>()
  const nameOf = (tree: Tree): string => {
    const content = Object.keys(tree)
      .toSorted()
      .map((key) => `${key}:${tree[key]?.version}`)
      .join()
    const known = names.get(content) ?? `t${names.size}`
    names.set(content, known)
    trees.set(known, tree)
    return known
  }
  const treeOf = (name: string): Tree => trees.get(name) ?? {}
  return { nameOf, treeOf }
}

/** The keys in which two trees differ. */
export const changed = (before: Tree, after: Tree): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => before[key]?.version !== after[key]?.version,
  )

/** These keys as they are in another tree. */
export function take(tree: Tree, from: Tree, keys: readonly string[]): Tree {
  const result: Record<string, Change> = { ...tree }
  for (const key of keys) {
    const there = from[key]
    if (there) result[key] = there
    else delete result[key]
  }
  return result
}

export const isBroken = (tree: Tree, id: string): boolean =>
  Object.values(tree).some(({ task, breaks }) => task !== id && breaks.includes(id))
