/**
 * `.looper/` in the user's checkout: there for Looper, invisible to git, except for what people write in it themselves.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ioError, writeAtomic } from '../platform/files.ts'

const committed = ['workflows', 'stages', 'prompts', 'learnings']

/** An allow-list that ignores itself too, so that a run never shows up in `git status`. */
const ignoreRules =
  [
    '# Scratch of Looper, except what people write themselves.',
    '*',
    '!config.json',
    '!config.schema.json',
    ...committed.flatMap((folder) => [`!${folder}/`, `!${folder}/**`]),
  ].join('\n') + '\n'

/** Returns the folder. An ignore file that is already there is left as it is. */
export async function ensureLooperFolder(root: string): Promise<string> {
  const folder = join(root, '.looper')
  try {
    await mkdir(folder, { recursive: true })
    const rules = join(folder, '.gitignore')
    if (!existsSync(rules)) await writeAtomic(rules, ignoreRules)
    return folder
  } catch (error) {
    throw ioError(error, folder)
  }
}
