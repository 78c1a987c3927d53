/** What shells complete, as it was described when Looper was built. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandRow } from '../surfaces/cli/completion/table.ts'
import type { Context } from './context.ts'

/** Null in a checkout that is not built. */
export function commandTable({ packageFolder }: Context): CommandRow[] | null {
  try {
    return JSON.parse(readFileSync(join(packageFolder, 'dist', 'completion.json'), 'utf8')) as CommandRow[]
  } catch {
    return null
  }
}
