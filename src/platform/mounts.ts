/**
 * Keeps deletions out of mounted file systems: an agent or a check may mount a folder of the user inside a folder of
 * Looper, and a recursive deletion would delete the files there.
 */
import { spawnSync } from 'node:child_process'
import { lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The mount points at or below the path; the one mounted last comes first. Pure. */
export function mountPointsIn(mountinfo: string, path: string): string[] {
  const points = mountinfo.split('\n').flatMap((line) => line.split(' ')[4] ?? [])
  return points
    .map(unescape)
    .filter((point) => point === path || point.startsWith(`${path}/`))
    .toReversed()
}

/** The kernel writes blanks, tabs, line feeds and backslashes as octal numbers. */
const unescape = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)))

/** The bytes of names as latin1, because names need not be UTF-8. */
function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'latin1')
  } catch {
    return ''
  }
}

/** The mount points at and below the path; none on systems other than Linux. */
export function mountsBelow(path: string): string[] {
  const mounts = readMounts()
  return mounts === ''
    ? []
    : mountPointsIn(mounts, realPathOf(path)).map((each) => Buffer.from(each, 'latin1').toString())
}

/** Bounds the attempts, because another process could mount again and again. */
const mostAttempts = 50

/**
 * Unmounts everything at and below the path. Call it before a recursive deletion. Throws EBUSY when something stays
 * mounted: the folder must not be deleted then.
 */
export function unmountBelow(path: string): void {
  let points = mountsBelow(path)
  for (let attempt = 0; attempt < mostAttempts && points[0] !== undefined; attempt++) {
    if (spawnSync('umount', ['-l', points[0]], { stdio: 'ignore' }).status !== 0) break
    points = mountsBelow(path)
  }
  if (points[0] !== undefined) throw Object.assign(new Error(mountedOn(points[0])), { code: 'EBUSY' })
}

export const mountedOn = (point: string): string =>
  `a file system is mounted on ${point}, so that folder is not deleted; unmount it, then run \`looper clean\``

/** The real path as latin1. A link at the path itself is deleted and not followed. */
function realPathOf(path: string): string {
  try {
    return Buffer.from(join(realpathSync.native(dirname(path)), basename(path))).toString('latin1')
  } catch {
    return Buffer.from(path).toString('latin1')
  }
}

/** Removes a file, a link, or a folder with everything in it. Does nothing when there is none. */
export function removeNow(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (found.isDirectory()) unmountBelow(path)
  rmSync(path, { recursive: true, force: true })
}
