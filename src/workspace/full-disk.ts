/** Detects a full disk from the output of git, cp and package managers, and names the folder that needs space. */
import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { LooperError } from '../model/error.ts'
import { plain } from '../views/plain-text.ts'

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
 * may print any text, so the free space is checked as well.
 */
export function diskError(error: unknown, folder: string): unknown {
  if (!(error instanceof LooperError) || !isDiskFull(error, folder)) return error
  const line = `No space left on the disk of ${plain(folder)}: `
  if (error.message.startsWith(line)) return error
  return new LooperError('ENVIRONMENT_DISK_FULL', line + error.message, {
    fix: 'Free some space there',
    cause: error,
    details: error.details,
  })
}

function isDiskFull({ code, message, details }: LooperError, folder: string): boolean {
  if (code === 'ENVIRONMENT_DISK_FULL') return true
  const text = `${message}\n${JSON.stringify(details['output'] ?? '')}`
  if (code === 'WORKSPACE_SETUP') return saysDiskFull(text) && hasNoRoom(folder)
  return (code === 'WORKSPACE_GIT' || code === 'ENVIRONMENT_IO') && hasNoRoom(folder)
}
