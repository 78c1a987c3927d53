/** The run's inbox: one file per command to a run, so that no command is lost while no engine runs. */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { Command } from '../model/event.ts'
import type { CommandRequest } from '../model/ports.ts'
import { ioError, readIfExists, whenExists, writeAtomic } from '../platform/files.ts'
import { parseRequest } from './command-request.ts'

const inboxOf = (runDir: string): string => join(runDir, 'inbox')
const idPattern = /^[\w-]{1,100}$/
const maxFileBytes = 1024 * 1024

let lastMs = 0

/** Ids sort by time; ids of one process also by the order of the calls. */
function nextId(): string {
  lastMs = Math.max(lastMs + 1, Date.now())
  return `${lastMs}-${randomBytes(4).toString('hex')}`
}

/** Resolves with the command's id when the file is durable; then the engine may be nudged. */
export async function sendCommand(runDir: string, request: CommandRequest): Promise<string> {
  const id = nextId()
  const inbox = inboxOf(runDir)
  try {
    await mkdir(inbox, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw ioError(error, inbox)
  }
  await writeAtomic(join(inbox, `${id}.json`), `${JSON.stringify(request)}\n`, { mode: 0o600 })
  return id
}

/** The commands not yet acknowledged, oldest first. An invalid file is renamed to `.bad` and kept. */
export async function readInbox(runDir: string): Promise<Command[]> {
  const inbox = inboxOf(runDir)
  const names = (await whenExists(readdir(inbox), inbox)) ?? []
  const commands: Command[] = []
  for (const name of names.filter((found) => found.endsWith('.json') && !found.startsWith('.')).toSorted()) {
    const path = join(inbox, name)
    const command = await readCommand(path, name.slice(0, -'.json'.length))
    if (command === 'malformed') await rename(path, `${path}.bad`).catch(() => {})
    else if (command !== 'gone') commands.push(command)
  }
  return commands
}

/** Opens only plain files of bounded size, because reading a pipe would block forever. */
async function readCommand(path: string, id: string): Promise<Command | 'malformed' | 'gone'> {
  const found = await whenExists(lstat(path), path)
  if (found === null) return 'gone'
  if (!found.isFile() || found.size > maxFileBytes || !idPattern.test(id)) return 'malformed'
  const bytes = await readIfExists(path).catch(unlessForbidden)
  if (bytes === null) return 'gone'
  const request = parseRequest(bytes.toString('utf8'))
  return request === null ? 'malformed' : { ...request, id }
}

/** A file without read permission is not a command; any other error is thrown. */
function unlessForbidden(error: unknown): Buffer {
  if (error instanceof LooperError && error.code === 'ENVIRONMENT_READ_ONLY') return Buffer.alloc(0)
  throw error
}

/** Call this after the command is in the journal. Idempotent. */
export async function acknowledge(runDir: string, id: string): Promise<void> {
  if (!idPattern.test(id)) return
  const path = join(inboxOf(runDir), `${id}.json`)
  await whenExists(unlink(path), path)
}
