/**
 * Reads the tasks to import: from a file, a folder that contains one, the issues of beads, or a task list of Claude
 * Code.
 */
import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { ioError, whenExists } from '../../platform/files.ts'
import { sessionLabel } from '../../sources/beads/store.ts'
import { createTracker } from '../../sources/beads/tracker.ts'
import { findTaskList } from '../../sources/claude-tasks/folder.ts'
import { readList } from '../../sources/claude-tasks/read-list.ts'
import { importIssues } from '../../sources/import/beads-export.ts'
import { readClaudeTasks } from '../../sources/import/claude-list.ts'
import { readTasks, type ReadFile } from '../../sources/import/read.ts'
import type { ImportRequest } from '../../api/backlog.ts'
import type { AppContext } from '../context.ts'
import { pickFile } from './import-folder.ts'

export interface Gathered extends ReadFile {
  /** The name of the source, for messages. */
  source: string
}

const longestFile = 64 * 1024 * 1024

/** Throws USAGE_ARGUMENTS when the source does not exist and CONFIG_BACKLOG when it cannot be parsed. */
export async function gather(context: AppContext, root: string, { from, label }: ImportRequest): Promise<Gathered> {
  if (from.kind === 'beads') {
    const issues = await createTracker({ root, env: context.env }, label).list()
    return {
      source: label === null ? 'beads' : `beads with the label ${label}`,
      format: 'beads',
      session: null,
      ...importIssues(issues),
    }
  }
  if (from.kind === 'claude') return gatherList(await findTaskList(context, from.list))
  const path = resolve(context.cwd, from.path)
  const found = await whenExists(stat(path), path)
  if (found === null) throw new LooperError('USAGE_ARGUMENTS', `there is no file or folder "${from.path}"`)
  if (!found.isDirectory()) return gatherFile(path, from.path, label)
  const picked = await pickFile(path, from.path)
  return picked === path ? gatherList(path) : gatherFile(picked, relative(context.cwd, picked), label)
}

async function gatherList(folder: string): Promise<Gathered> {
  const files = await readList(folder)
  const reading = readClaudeTasks(files.map(({ id, content }) => ({ ...content, id })))
  return { source: `the task list ${basename(folder)}`, format: 'claude tasks', session: null, ...reading }
}

async function gatherFile(path: string, name: string, label: string | null): Promise<Gathered> {
  const read = readTasks(await textOf(path, name), { name, label })
  if (read.format === 'workflow state') return { source: name, ...(await withProgress(path, read)) }
  return { source: name, ...(read.format === 'pipeline run' ? await withBeads(path, read) : read) }
}

/** Prefers the check boxes in PROGRESS.md beside the state file: they have more detail than the request alone. */
async function withProgress(path: string, read: ReadFile): Promise<ReadFile> {
  const progress = await readBeside(join(dirname(path), 'PROGRESS.md'), null)
  if (progress === null) return read
  return {
    ...read,
    tasks: progress.tasks,
    notes: ['the tasks are those of PROGRESS.md beside it', ...read.notes, ...progress.notes],
  }
}

/** Adds the beads issues with the label of the session, which are its tasks. */
async function withBeads(path: string, read: ReadFile): Promise<ReadFile> {
  const label = sessionLabel(read.session ?? '')
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const beads = await readBeside(join(folder, '.beads', 'issues.jsonl'), label)
    if (beads !== null) {
      const file = join(basename(folder), '.beads', 'issues.jsonl')
      const merged = `with the issues labeled ${label} from ${file}`
      return {
        ...read,
        tasks: [...read.tasks, ...beads.tasks],
        notes: [merged, ...read.notes.filter((note) => !note.includes('--beads')), ...beads.notes],
      }
    }
    if (folder === dirname(folder)) return read
  }
}

/** Null when the file is missing or cannot be read: it is optional. */
async function readBeside(path: string, label: string | null): Promise<ReadFile | null> {
  try {
    return readTasks(await textOf(path, basename(path)), { name: basename(path), label })
  } catch (error) {
    if (error instanceof LooperError) return null
    throw error
  }
}

async function textOf(path: string, name: string): Promise<string> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw ioError(error, name)
  })
  try {
    const found = await file.stat()
    if (!found.isFile()) throw refused(`${name}: it is not a file`, 'Name a file, or a folder with one in it.')
    if (found.size > longestFile) throw refused(`${name}: it is larger than ${longestFile >> 20} MB`, 'Split it.')
    const bytes = await file.readFile()
    if (!isUtf8(bytes)) throw refused(`${name}: it is not UTF-8 text`, 'Save it as UTF-8.')
    return bytes.toString('utf8')
  } finally {
    await file.close()
  }
}

const refused = (message: string, hint: string): LooperError => new LooperError('CONFIG_BACKLOG', message, { hint })
