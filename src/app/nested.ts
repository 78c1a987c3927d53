/**
 * Refuses commands that change something when a process of a run calls them: only the user controls the run, never its
 * agents, checks or hooks.
 */
import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { LooperError } from '../model/error.ts'
import { markedAncestor, turnStream } from '../platform/lineage.ts'
import { isTagged } from '../platform/tag.ts'
import type { AppContext } from './context.ts'

/** Throws USAGE_NESTED. Reads a few files, so only functions that change something call it. */
export function refuseNested(context: Pick<AppContext, 'env' | 'home'>): void {
  const why = insideBecause(context)
  if (why !== null) throw new LooperError('USAGE_NESTED', `This command is refused inside a run: ${why}.`)
}

/**
 * The reason why this process counts as part of a run; null when it does not. A process that cleared its environment
 * and left its parents, its workspace and its output files is still detected by the resource limit that it inherited. A
 * process that changed that limit as well cannot be distinguished from a process of the user: only the sandbox stops
 * it.
 */
export function insideBecause({ env, home }: Pick<AppContext, 'env' | 'home'>): string | null {
  if ((env['LOOPER_INSIDE'] ?? '') !== '') return 'LOOPER_INSIDE is set'
  const ancestor = markedAncestor()
  if (ancestor !== null) return `process ${ancestor}, which it descends from, was started by a run`
  if (turnStream() !== null) return 'its output goes to a turn of a run'
  if (isTagged()) return 'it has a limit that only processes of a run have'
  return isWorkspace(process.cwd(), { env, home }) ? 'it works in a workspace of a run' : null
}

/** Every workspace has a path of the form `<key of the checkout>/<run>`, whatever folder `workspace.folder` names. */
const ofRun = /\/[\da-f]{16}\/\d{3,}-[^/]+(?:\/|$)/

/**
 * Whether a folder is in a place where Looper keeps workspaces: the cache folder, a configured one, or
 * `.looper/worktrees`.
 */
export function isWorkspace(folder: string, { env, home }: Pick<AppContext, 'env' | 'home'>): boolean {
  if (folder.includes(`${sep}.looper${sep}worktrees${sep}`) || ofRun.test(folder)) return true
  const caches = [env['XDG_CACHE_HOME'] ?? '', home === '' ? '' : join(home, '.cache')].filter((cache) => cache !== '')
  return caches.some((cache) => `${folder}${sep}`.startsWith(realPath(join(cache, 'looper')) + sep))
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
