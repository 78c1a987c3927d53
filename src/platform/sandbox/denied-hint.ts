/** Recognizes in the output of a confined command that the sandbox denied a write, and names the setting for it. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, sep } from 'node:path'

const denial = /\b(?:EROFS|EPERM|EACCES)\b|read-only file system|operation not permitted|permission denied/i
const paths = /(?:^|[\s'"`(=:[])(\/[^\s'"`:,()[\]]{1,1000})/g
/** Folders of the kernel: their files are no files of the user. */
const elsewhere = ['/dev', '/proc', '/sys']
/** A long output is searched from its end. */
const mostLines = 2_000

/** One line for the last path that the user may write to and the command may not; null when the output names none. */
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

/** Whether the user may write there. Without a sandbox, too, others are denied. */
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
