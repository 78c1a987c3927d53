/** Opens the journal's file for its writer. */
import { fstatSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { AppendFile } from './group-writer.ts'

/**
 * Only `datasync` is asynchronous, because it waits for the disk. The other calls take less time than a handover to
 * another thread.
 */
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
