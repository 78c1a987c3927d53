/**
 * The JSON Schema that agents are given for their answer: one file per shape for all turns of a run, because making
 * files is what a short turn waits for.
 */
import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resultJsonSchema } from '../agents/result.ts'
import { purposes, type Purpose, type ResultShape } from '../model/purposes.ts'
import { writePlainFile } from '../platform/plain-file.ts'

export const schemaFile = (runDir: string, purpose: Purpose): string =>
  join(runDir, 'schemas', `${purposes[purpose].result}.json`)

const texts = new Map<ResultShape, Promise<string>>()

export function schemaText(purpose: Purpose): Promise<string> {
  const { result } = purposes[purpose]
  const text = texts.get(result) ?? resultJsonSchema(purpose).then((schema) => JSON.stringify(schema))
  texts.set(result, text)
  return text
}

/** Keeps the files of one run: whatever an agent did to one of them, the next agent finds it whole. */
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
    // Beside and renamed: an agent of another turn may be reading it right now.
    writePlainFile(`${path}.new`, content)
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true })
    renameSync(`${path}.new`, path)
    kept.set(path, note(path) ?? '')
  }
}

/** A link in its place would lead somewhere else. */
function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  rmSync(path, { force: true })
  mkdirSync(path, { recursive: true, mode: 0o700 })
}
