/**
 * A mark is a variable in the environment of every process that Looper starts, inherited by all its descendants. With
 * it a new engine finds the processes of an earlier one, even in sessions of their own.
 */
import { createHash } from 'node:crypto'
import { realPath } from './real-path.ts'

export const markVariable = 'LOOPER_MARK'

/** Identifies a run on this machine: a hash of its folder's real path. */
export const runKey = (runDir: string): string =>
  createHash('sha256').update(realPath(runDir)).digest('hex').slice(0, 16)

/** The mark of one start of a work item. */
export const markOf = (key: string, workId: string, starts: number): string => `${key}:${workId}:${starts}`

/** The key of the run that a mark belongs to. */
export const keyOf = (mark: string): string => mark.split(':', 1)[0] ?? ''
