/** Creates `.looper/` in the user's checkout. Git ignores it, except for files that people write themselves. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ioError, writeAtomic } from '../platform/files.ts'

const committed = ['workflows', 'stages', 'prompts', 'learnings']

/** An allow-list that also ignores itself, so that a run never appears in `git status`. */
const ignoreRules =
  [
    '# Scratch of Looper, except what people write themselves.',
    '*',
    '!config.json',
    '!config.schema.json',
    ...committed.flatMap((folder) => [`!${folder}/`, `!${folder}/**`]),
  ].join('\n') + '\n'

/** Returns the folder. An existing ignore file is not changed. */
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
