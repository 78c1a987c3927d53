/** Looper's own git in a run. It uses the settings of the run's start, whatever agents change later. */
import { join } from 'node:path'
import { freezeGit, type FreezeOptions, type FrozenGit } from './git/frozen-git.ts'
import type { GitCall } from './git/git.ts'
import { readOnce } from './git/user-settings.ts'
import { lookupsText } from './verification/lookup-folders.ts'

export interface OwnGitOptions extends FreezeOptions {
  /** The file that records the folder of the workspaces for a resumed run; null when there is nothing to resume. */
  record: string | null
  /** The folder of the run's workspaces. */
  folder: string
  mark: (workId: string) => string
}

export interface OwnGit {
  /** The git directory of the run, restored first if an agent changed it. */
  frozen(): Promise<FrozenGit>
  /** The same without restoring it, for what does not start git there: settings, and objects that are read here. */
  load(): Promise<FrozenGit>
  call(key: string): Promise<GitCall & { env: Record<string, string>; mark: string }>
  /** The module and settings files above the workspaces at the start of the run; known after the first `frozen`. */
  lookups(): string
  /** Restores the git directory if it was used. */
  restore(): void
}

export function openOwnGit({ record, folder, mark, ...options }: OwnGitOptions): OwnGit {
  const { root, runDir } = options
  const lookupsFile = join(runDir, 'git', 'lookups.json')
  let lookups = '[]'
  const freeze = readOnce(async () => {
    const settings = await freezeGit(options, mark('settings'))
    lookups = lookupsText(lookupsFile, folder)
    settings.keep(lookupsFile, lookups)
    if (record !== null) settings.keep(record, folder)
    return settings
  })
  let inUse: FrozenGit | null = null
  /** Restored in this moment: what is asked for together is compared once. */
  let isFresh = false

  const frozen = async (): Promise<FrozenGit> => {
    const known = await freeze()
    if (isFresh) return known
    known.ensure()
    isFresh = true
    setImmediate(() => (isFresh = false))
    inUse = known
    return known
  }

  return {
    frozen,
    load: freeze,
    async call(key) {
      const { identity, env, quick } = await frozen()
      return { cwd: root, mark: key, env: { ...identity, ...env }, quick }
    },
    lookups: () => lookups,
    restore: () => inUse?.ensure(),
  }
}
