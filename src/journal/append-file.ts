/** The journal's file as its writer uses it. */
import { fstatSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { AppendFile } from './group-writer.ts'

/** Only making it durable waits for the disk. The rest is over sooner than another thread could be asked to do it. */
export async function openAppendFile(path: string, flags: string, mode: number): Promise<AppendFile> {
  const file = await open(path, flags, mode)
  return {
    write: async (data, offset) => ({ bytesWritten: writeSync(file.fd, data, offset) }),
    stat: async () => fstatSync(file.fd),
    datasync: () => file.datasync(),
    truncate: (size) => file.truncate(size),
    close: () => file.close(),
  }
}
