/**
 * The whole of an output whose beginning is in the journal: on its way from the workspace, which the next pass clears,
 * to its file.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPlainFile, writePlainFile } from '../platform/plain-file.ts'
import { beginningOf } from '../views/inputs.ts'

const mostBytes = 200 * 1024 * 1024
const placeIn = (dir: string): string => join(dir, 'loop', 'whole-output')

export function keepWhole(dir: string, whole: string): void {
  mkdirSync(dirname(placeIn(dir)), { recursive: true })
  writePlainFile(placeIn(dir), whole)
}

export const forgetWhole = (dir: string): void => rmSync(placeIn(dir), { force: true })

/** What is kept may be another pass's, or not what this one gave in the end. */
export function wholeOf(dir: string, output: string): string {
  const kept = readPlainFile(placeIn(dir), mostBytes)
  return kept !== null && beginningOf(kept) === output ? kept : output
}
