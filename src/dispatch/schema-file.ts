/** The JSON Schema that agents of a role are given: one file for all turns of a run, because making files is what a short turn waits for. */
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resultJsonSchema } from '../agents/result.ts'
import type { Role } from '../model/role.ts'

export const schemaFile = (runDir: string, role: Role): string => join(runDir, 'schemas', `${role}.json`)

const texts = new Map<Role, Promise<string>>()

export function schemaText(role: Role): Promise<string> {
  const text = texts.get(role) ?? resultJsonSchema(role).then((schema) => JSON.stringify(schema))
  texts.set(role, text)
  return text
}

/** Keeps the files of one run: whatever an agent did to one of them, the next agent finds it whole. */
export function createSchemaKeeper(): (path: string, content: string) => void {
  const kept = new Map<string, string>()
  const note = (path: string): string | null => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? null : `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`
  }
  return (path, content) => {
    const seen = note(path)
    if (seen !== null && seen === kept.get(path)) return
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Beside and renamed: an agent of another turn may be reading it right now.
    writeFileSync(`${path}.new`, content, { mode: 0o600 })
    renameSync(`${path}.new`, path)
    kept.set(path, note(path) ?? '')
  }
}
