/** The pool of verification workspaces of a run: all of them, the free ones, and the queue of waiting checks. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errnoOf, ioError } from '../../platform/files.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { endOrphansIn } from '../../platform/orphans.ts'
import type { Manifest } from '../clones/manifest.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import { removeFrom } from '../clones/pristine.ts'
import { removeTree } from '../clones/remove-tree.ts'

/** The folder of one workspace. The workspace inside it has the name of the user's checkout. */
export interface Seat {
  name: string
  path: string
  index: string
}

/** A workspace that contains this tree and the set-up for this key once `manifest` is restored. */
export interface Member {
  seat: Seat
  workTree: WorkTree
  tree: string
  manifest: Manifest
  /** Identifies the set-up that the tree needs: equal keys mean equal set-up. */
  key: string
  /** The key computed after set-up, because set-up may write lock files. */
  keyAfter: string
  /** Files of the tree that set-up changed and that were restored. */
  touched: string[]
  /** Set-up created attributes that apply to files of the tree, so git would write other files differently. */
  fixed: boolean
  /** Commits of submodules by path. */
  links: ReadonlyMap<string, string>
  /** The config of its `.git` after set-up; null without set-up. */
  gitConfig: string | null
}

export function openPool(folder: string, checkout: string, most: number) {
  const title = basename(checkout) || 'work'
  /** The most recently used comes first. */
  let free: Member[] = []
  let busy = 0
  const waiting: (() => void)[] = []
  const seats = new Set<string>()
  const discarded = new Set<string>()
  const removals = new Set<Promise<void>>()
  let made = 0

  function discard(name: string): Promise<void> {
    seats.delete(name)
    discarded.add(name)
    const parts = [name, `${name}.index`].map((part) => removeTree(join(folder, part)))
    const removal = Promise.all(parts).then(
      () => {
        discarded.delete(name)
      },
      () => {},
    )
    removals.add(removal)
    void removal.then(() => removals.delete(removal))
    return removal
  }

  /**
   * Removes leftovers of earlier processes, and files that a check wrote where programs search for modules and
   * settings.
   */
  async function discardStrangers(): Promise<void> {
    makeFolder(folder, 0o700)
    const isStrange = (name: string): boolean =>
      !seats.has(name.replace(/\.index(\.lock)?$/, '')) && !discarded.has(name)
    await Promise.all(readdirSync(folder).filter(isStrange).map(discard))
  }

  return {
    /** Resolves when fewer than `most` are in use, in the order of the calls. */
    async admit(): Promise<void> {
      if (busy >= most)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
      else busy += 1
    },

    /** Passes the place to the longest waiting caller. */
    leave(): void {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    },

    /** Free workspaces, best first: with that tree, then with that set-up, then the most recently used. */
    candidates(tree: string | null, key: string | undefined): Member[] {
      const rank = (member: Member): number => (member.tree === tree ? 0 : member.key === key ? 1 : 2)
      return free.toSorted((a, b) => rank(a) - rank(b))
    },

    /** False when another caller took it first. */
    take(member: Member): boolean {
      const found = free.includes(member)
      free = free.filter((one) => one !== member)
      return found
    },

    put(member: Member): void {
      if (seats.has(member.seat.name)) free.unshift(member)
    },

    /**
     * Creates an empty workspace. When the pool is full, the least recently used one is removed. The path of a `secret`
     * one cannot be guessed.
     */
    async make(secret: boolean): Promise<Seat> {
      if (seats.size >= most) {
        const last = free.pop()
        if (last) void discard(last.seat.name)
      }
      try {
        await discardStrangers()
        const name = newFolder(secret)
        seats.add(name)
        mkdirSync(join(folder, name, title))
        return { name, path: realpathSync(join(folder, name, title)), index: join(folder, `${name}.index`) }
      } catch (error) {
        throw ioError(error, folder)
      }
    },

    /** Removes everything else from the folders around the workspace. Throws when that fails. */
    async isolate({ path }: Seat): Promise<void> {
      await endOrphansIn(dirname(path))
      await discardStrangers()
      if (realpathSync(path) !== path) throw new Error(`${path} is not where it was`)
      const own = dirname(path)
      for (const name of readdirSync(own, 'latin1')) {
        if (Buffer.from(name, 'latin1').toString() !== basename(path)) await removeFrom(own, name)
      }
    },

    /** Removes it in the background. Files that cannot be removed are left behind. */
    discard: (seat: Seat): void => void discard(seat.name),

    async clean(): Promise<void> {
      free = []
      seats.clear()
      await Promise.all(removals)
      await removeTree(folder).catch(() => {})
      discarded.clear()
    },
  }

  function newFolder(secret: boolean): string {
    for (;;) {
      const name = `v${secret ? randomBytes(9).toString('hex') : ++made}`
      try {
        mkdirSync(join(folder, name), { mode: 0o700 })
        return name
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error
      }
    }
  }
}

export type Pool = ReturnType<typeof openPool>
