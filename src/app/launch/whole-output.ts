/**
 * Keeps the whole of an output whose beginning is in the journal: the next pass clears the workspace before the output
 * is moved to its final file.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPlainFile, writePlainFile } from '../../platform/plain-file.ts'
import { beginningOf } from '../../views/pipelines/inputs.ts'

const mostBytes = 200 * 1024 * 1024
const placeIn = (dir: string): string => join(dir, 'loop', 'whole-output')

export function keepWhole(dir: string, whole: string): void {
  mkdirSync(dirname(placeIn(dir)), { recursive: true })
  writePlainFile(placeIn(dir), whole)
}

export const forgetWhole = (dir: string): void => rmSync(placeIn(dir), { force: true })

/** Returns the kept output only when it begins with `output`: it may be from another pass. */
export function wholeOf(dir: string, output: string): string {
  const kept = readPlainFile(placeIn(dir), mostBytes)
  return kept !== null && beginningOf(kept) === output ? kept : output
}
