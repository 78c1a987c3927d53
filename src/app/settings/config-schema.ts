/**
 * Copies the schema of the configuration beside a configuration file that refers to it, so that every editor finds it
 * wherever Looper is installed.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseJsonc } from '../../platform/jsonc.ts'
import { readIfExists, writeAtomic } from '../../platform/files.ts'
import type { AppContext } from '../context.ts'

const schemaName = 'config.schema.json'
export const schemaReference = `./${schemaName}`

/** Updates the copy. A configuration that refers to another schema, or to none, is left alone. */
export async function bringSchema({ packageFolder }: Pick<AppContext, 'packageFolder'>, config: string): Promise<void> {
  const text = (await readIfExists(config))?.toString('utf8') ?? ''
  if (!text.includes(schemaReference) || referenceIn(text) !== schemaReference) return
  const schema = await readFile(join(packageFolder, 'schemas', schemaName))
  const copy = join(dirname(config), schemaName)
  if ((await readIfExists(copy))?.equals(schema) !== true) await writeAtomic(copy, schema)
}

function referenceIn(text: string): unknown {
  try {
    const value = parseJsonc(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && '$schema' in value ? value.$schema : null
  } catch {
    return null
  }
}
