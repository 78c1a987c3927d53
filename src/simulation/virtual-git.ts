/** A repository in memory: trees, commits, the run branch and worktrees, with three-way merges of whole files. */
import { LooperError } from '../model/error.ts'
import type { Unresolved } from '../model/work.ts'
import { hash } from './random.ts'

export type Files = Readonly<Record<string, string>>

export interface Commit {
  id: string
  tree: string
  parent: string | null
  /** The landing of this commit; null for the base commit of the run. */
  landing: string | null
  task: string | null
}

export interface VirtualGit {
  readonly base: string
  tip(): string
  commit(id: string): Commit
  make(commit: Omit<Commit, 'id'>): string
  /** Moves the branch if it is at `from`. */
  move(from: string, to: string): boolean
  /** Returns the id of a tree; equal files have equal ids. */
  store(files: Files): string
  /** The files of a tree or of a commit. */
  filesOf(id: string): Files
  treeOf(id: string): string
  /** Commits from the tip back to the base, which is excluded. */
  log(): Commit[]
  /** Refs besides the branch, by name. */
  readonly refs: Map<string, string>
  /** Whether the branch at `tip` contains this commit. */
  isIn(commit: string, tip: string): boolean
  /** The files of a worktree; null when there is none. */
  checkout(workspace: string): Files | null
  place(workspace: string, files: Files): void
  removeCheckout(workspace: string): void
  removeCheckouts(): void
}

export function createVirtualGit(files: Files): VirtualGit {
  const trees = new Map<string, Files>()
  const commits = new Map<string, Commit>()
  const checkouts = new Map<string, Files>()

  const store = (content: Files): string => {
    const sorted = Object.fromEntries(Object.entries(tracked(content)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const text = JSON.stringify(sorted)
    const id = `t${hash(1, text).toString(36)}${hash(2, text).toString(36)}`
    trees.set(id, sorted)
    return id
  }
  const make = (commit: Omit<Commit, 'id'>): string => {
    const text = JSON.stringify(commit)
    const id = `c${hex(hash(3, text))}${hex(hash(4, text))}`
    commits.set(id, { id, ...commit })
    return id
  }
  const commitOf = (id: string): Commit => {
    const commit = commits.get(id)
    if (!commit) throw new Error(`there is no commit ${id}`)
    return commit
  }
  const treeOf = (id: string): string => (trees.has(id) ? id : commitOf(id).tree)
  const base = make({ tree: store(files), parent: null, landing: null, task: null })
  let tip = base

  return {
    base,
    make,
    store,
    treeOf,
    refs: new Map(),
    isIn(commit, from) {
      for (let at: string | null = from; at !== null; at = commitOf(at).parent) if (at === commit) return true
      return false
    },
    tip: () => tip,
    commit: commitOf,
    move(from, to) {
      if (tip !== from) return false
      tip = to
      return true
    },
    filesOf: (id) => trees.get(treeOf(id)) ?? {},
    log() {
      const list: Commit[] = []
      for (let at = commitOf(tip); at.parent !== null; at = commitOf(at.parent)) list.push(at)
      return list
    },
    checkout: (workspace) => checkouts.get(workspace) ?? null,
    place(workspace, content) {
      checkouts.set(workspace, { ...content })
    },
    removeCheckout(workspace) {
      checkouts.delete(workspace)
    },
    removeCheckouts() {
      checkouts.clear()
    },
  }
}

const ignored = 'ignored/'

/** The path of an ignored file: it exists in a workspace, but in no tree. */
export const ignoredFor = (path: string): string => `${ignored}${path}`

export const tracked = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(ignored)))

/** People abbreviate commits to such digits. */
const hex = (value: number): string => value.toString(16).padStart(8, '0')

export function changedPaths(from: Files, to: Files): string[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((path) => from[path] !== to[path]).toSorted()
}

const marks = ['<<<<<<< ours', '=======', '>>>>>>> theirs'] as const

/** Where both sides changed a file, `files` has ours and `marked` has both. */
export function merge(base: Files, ours: Files, theirs: Files): { files: Files; conflicts: string[]; marked: Files } {
  const files: Record<string, string> = { ...ours }
  const marked: Record<string, string> = {}
  const conflicts: string[] = []
  for (const path of changedPaths(base, theirs)) {
    const content = theirs[path]
    if (ours[path] === content) continue
    if (ours[path] !== base[path]) {
      conflicts.push(path)
      marked[path] = [marks[0], ours[path] ?? '', marks[1], content ?? '', marks[2]].join('\n')
    } else if (content === undefined) delete files[path]
    else files[path] = content
  }
  return { files, conflicts, marked: { ...files, ...marked } }
}

/**
 * Conflicting files that still have markers, or only one side's content. A file that `ours` deleted may stay deleted.
 */
export function unresolved(ours: Files, theirs: Files, marked: Files, result: Files): Unresolved[] {
  const isMarked = (text: string | undefined): boolean =>
    text?.includes(marks[0]) === true || text?.includes(marks[2]) === true
  return changedPaths(ours, marked)
    .filter((path) => isMarked(marked[path]))
    .flatMap((path): Unresolved[] => {
      const text = result[path]
      if (isMarked(text)) return [{ file: path, why: 'markers' }]
      const isOneSide = text === undefined ? ours[path] !== undefined : text === ours[path] || text === theirs[path]
      return isOneSide ? [{ file: path, why: 'one-side' }] : []
    })
}

/** The two sides in a file with markers; null for a file without. */
export function sidesOf(text: string): { ours: string; theirs: string } | null {
  const [, ours, theirs] = new RegExp(`^${marks[0]}\n([^]*)\n${marks[1]}\n([^]*)\n${marks[2]}$`).exec(text) ?? []
  return ours === undefined || theirs === undefined ? null : { ours, theirs }
}

/**
 * Moves the branch back, also after an interrupted rollback, and keeps the abandoned commits under a ref. Null: the
 * branch is elsewhere.
 */
export function rollBack(git: VirtualGit, from: string, to: string): { moved: boolean; kept: string | null } | null {
  const aside = [...git.refs].filter(([ref]) => ref.startsWith('set-aside/'))
  const keeping = (left: string): string | null => aside.find(([, commit]) => commit === left)?.[0] ?? null
  const tip = git.tip()
  if (tip === to) return { moved: false, kept: from === to ? null : keeping(from) }
  if (!git.isIn(to, from)) throw new LooperError('WORKSPACE_GIT', `${to} is no commit of this run`)
  const left = git.isIn(tip, from) ? from : tip
  if (!git.isIn(from, left) || !git.move(tip, to)) return null
  const ref = keeping(left) ?? `set-aside/${aside.length + 1}`
  git.refs.set(ref, left)
  return { moved: tip === left, kept: ref }
}
