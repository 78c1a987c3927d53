/** The files of a run on this machine. An agent can write to some of these folders, so links are never followed. */
import { closeSync, existsSync, fstatSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Artifacts, OpenArtifact } from '../model/ports.ts'
import { whenExists, writeAtomic } from '../platform/files.ts'

const plainFiles = () => import('../platform/plain-file.ts')

export function fileArtifacts(folder: string): Artifacts {
  const pathOf = (name: string): string => join(folder, name)
  return {
    async folders(name) {
      const path = pathOf(name)
      const found = (await whenExists(readdir(path, { withFileTypes: true }), path)) ?? []
      return found.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    },
    exists: async (name) => existsSync(pathOf(name)),
    read: async (name, maxBytes) => (await plainFiles()).readPlainFile(pathOf(name), maxBytes),
    write: (name, text) => writeAtomic(pathOf(name), text, { mode: 0o600 }),
    async open(name) {
      const { openPlainFile } = await plainFiles()
      try {
        return openArtifact(openPlainFile(pathOf(name), 'read'))
      } catch {
        return null
      }
    },
  }
}

/** The calls themselves are synchronous: they take less time than a handover to another thread. */
const openArtifact = (file: number): OpenArtifact => ({
  size: async () => fstatSync(file).size,
  read: async (offset, into) => readSync(file, into, 0, into.length, offset),
  close: async () => closeSync(file),
})
