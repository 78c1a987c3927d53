/** Verification workspaces of the virtual machine: folders with exactly one tree when a check starts in them. */
import type { Verification } from '../workspace/workspaces.ts'
import type { CheckWork } from '../model/work.ts'
import type { Files, VirtualGit } from './virtual-git.ts'

/** The files of each folder, by its name. A folder outlives the engine that made it. */
export type VerificationFolders = Map<string, Files>

export interface VerificationOptions {
  git: VirtualGit
  folders: VerificationFolders
  /** Maximum number of concurrent checks. */
  most: number
  /** The engine that they belong to. */
  life: number
}

export function createVirtualVerification({ git, folders, most, life }: VerificationOptions) {
  const free: string[] = []
  const held = new Map<string, string>()
  const waiting: (() => void)[] = []
  let made = 0

  function verified(id: string): void {
    const folder = held.get(id)
    if (folder === undefined) return
    held.delete(id)
    free.push(folder)
    waiting.shift()?.()
  }

  return {
    /** Waits while all are in use, like the real pool: an engine that returns none stops. */
    async take({ id, tree, commit = '' }: CheckWork): Promise<Verification> {
      verified(id)
      while (held.size >= most)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
      const folder = free.pop() ?? `~verify/${life}.${++made}`
      held.set(id, folder)
      const wanted = git.treeOf(tree ?? commit)
      // Removes the files that the previous check wrote.
      folders.set(folder, git.filesOf(wanted))
      return { path: `/virtual/${folder}`, tree: wanted }
    },
    verified,
  }
}
