/**
 * The file with the JSON Schema of the answer: one per shape for all turns of a run, because a short turn spends most
 * of its time creating files.
 */
import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import answers from '../agents/answer-schemas.json' with { type: 'json' }
import { resultJsonSchema } from '../agents/result.ts'
import { purposes, type Purpose, type ResultShape } from '../model/purposes.ts'
import { removeNow } from '../platform/mounts.ts'
import { writePlainFile } from '../platform/plain-file.ts'

export const schemaFile = (runDir: string, purpose: Purpose): string =>
  join(runDir, 'schemas', `${purposes[purpose].result}.json`)

/** Written by `npm run docs`, because loading the schema library takes longer than starting an agent. */
const written: Partial<Record<ResultShape, object>> = answers

export async function schemaText(purpose: Purpose): Promise<string> {
  return JSON.stringify(written[purposes[purpose].result] ?? (await resultJsonSchema(purpose)))
}

/** Keeps shared files of one run intact: restores a file that an agent changed before the next agent reads it. */
export function createFileKeeper(): (path: string, content: string) => void {
  const kept = new Map<string, string>()
  const note = (path: string): string | null => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found === undefined ? null : `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`
  }
  return (path, content) => {
    const seen = note(path)
    if (seen !== null && seen === kept.get(path)) return
    makeFolder(dirname(path))
    // Written beside and renamed, because an agent of another turn may be reading the file.
    writePlainFile(`${path}.new`, content)
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) removeNow(path)
    renameSync(`${path}.new`, path)
    kept.set(path, note(path) ?? '')
  }
}

/** Replaces a link, which would lead somewhere else. */
function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  rmSync(path, { force: true })
  mkdirSync(path, { recursive: true, mode: 0o700 })
}
