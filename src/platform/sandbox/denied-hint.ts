/**
 * Detects in the output of a confined command that the sandbox denied a write, and names the setting that allows it.
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, sep } from 'node:path'

const denial = /\b(?:EROFS|EPERM|EACCES)\b|read-only file system|operation not permitted|permission denied/i
const paths = /(?:^|[\s'"`(=:[])(\/[^\s'"`:,()[\]]{1,1000})/g
/** Kernel folders, which contain no files of the user. */
const elsewhere = ['/dev', '/proc', '/sys']
/** Only the end of a long output is searched. */
const mostLines = 2_000

/** One line for the last denied path that the user could write to; null when the output names none. */
export function deniedHint(output: string, cwd: string): string | null {
  const lines = output
    .split('\n')
    .slice(-mostLines)
    .filter((line) => denial.test(line))
  const named = lines.flatMap((line) => [...line.matchAll(paths)].map(([, path = '']) => path))
  const denied = named.findLast((path) => ![cwd, ...elsewhere].some((folder) => isIn(path, folder)) && isUsers(path))
  if (denied === undefined) return null
  return `[looper] "sandboxAllow" in .looper/config.json lets this write to ${denied}, which the sandbox denies.`
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)

/** Whether the user may write there. Other paths are denied without a sandbox, too. */
function isUsers(path: string): boolean {
  let nearest = path
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  try {
    accessSync(nearest, constants.W_OK)
    return true
  } catch {
    return false
  }
}
