/** Reads the description of all commands that the build created. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandRow } from './table.ts'

/** Null in a checkout that is not built. */
export function readTable(packageFolder: string): CommandRow[] | null {
  try {
    return JSON.parse(readFileSync(join(packageFolder, 'dist', 'completion.json'), 'utf8')) as CommandRow[]
  } catch {
    return null
  }
}
