/** Detects a full disk from the output of git, cp and package managers, and names the folder that needs space. */
import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { plain } from '../../views/text/plain-text.ts'

const words = /No space left on device|Disk quota exceeded|Out of disk ?space|\bENOSPC\b|\bEDQUOT\b/i

export const saysDiskFull = (text: string): boolean => words.test(text)

/** Less free space counts as full, because a command that runs out of space often removes what it wrote. */
const leastBytes = 32 * 1024 * 1024

function hasNoRoom(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(existingAbove(folder))
    return bavail * bsize < leastBytes || (files > 0 && ffree === 0)
  } catch {
    return false
  }
}

const existingAbove = (path: string): string => (existsSync(path) ? path : existingAbove(dirname(path)))

/**
 * Returns the error itself, or ENVIRONMENT_DISK_FULL with the folder. Git often gives no reason and a set-up command
 * may print any text, so the free space is checked as well. `others` may be on another disk, which is named when it is
 * the full one.
 */
export function diskError(error: unknown, folder: string, ...others: string[]): unknown {
  const folders = [folder, ...others]
  if (!(error instanceof LooperError) || !isDiskFull(error, folders)) return error
  const start = 'No space left on the disk of '
  if (folders.some((known) => error.message.startsWith(`${start}${plain(known)}: `))) return error
  const line = `${start}${plain(folders.find(hasNoRoom) ?? folder)}: `
  return new LooperError('ENVIRONMENT_DISK_FULL', line + error.message, {
    fix: 'Free some space there',
    cause: error,
    details: error.details,
  })
}

function isDiskFull({ code, message, details }: LooperError, folders: readonly string[]): boolean {
  if (code === 'ENVIRONMENT_DISK_FULL') return true
  const text = `${message}\n${JSON.stringify(details['output'] ?? '')}`
  if (code === 'WORKSPACE_SETUP') return saysDiskFull(text) && folders.some(hasNoRoom)
  return (code === 'WORKSPACE_GIT' || code === 'ENVIRONMENT_IO') && folders.some(hasNoRoom)
}
