/** The commands that list, validate and format the backlog file. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { mayMention, projectFile, userFile } from '../../config/config-files.ts'
import { usualBacklog } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { formatSource, inspectSource, invalid, parseBacklog } from '../../sources/todo-file/inspect.ts'
import type { Document } from '../../sources/todo-file/document.ts'
import { missingFiles, mostProblems, type Problem } from '../../sources/todo-file/problems.ts'
import { backlogError, readBacklog, type Read } from '../../sources/todo-file/read-file.ts'
import { replaceFile, untilWritten } from '../../sources/todo-file/replace-file.ts'
import { isListable, toRow } from '../../sources/todo-file/task.ts'
import { namesChecks, unknownChecks } from '../../sources/todo-file/unknown-checks.ts'
import type { FormattedBacklog, ValidatedBacklog } from '../../api/backlog.ts'
import type { BacklogTask } from '../../views/status/backlog.ts'
import { rootAround } from '../../workspace/git/find-root.ts'
import type { AppContext } from '../context.ts'

interface BacklogFile {
  path: string
  /** The name that the user typed or configured, for messages. */
  name: string
}

/** The named file, else the configured one. A backlog needs no repository. */
async function backlogFileOf(context: AppContext, file: string | null): Promise<BacklogFile> {
  if (file !== null) return { path: resolve(context.cwd, file), name: file }
  const root = rootAround(context.cwd)
  const name = await configured(context, root)
  return { path: resolve(root, name), name }
}

/** Keys and variables that set the backlog file: Looper's own, and the names that other programs use. */
const words = ['backlog', 'todo_file']
const variables = ['LOOPER_BACKLOG', 'LOOPER_TODO']

/** Loads the whole configuration only when a file or variable may set the backlog: loading it is slow. */
async function configured({ env, home }: AppContext, root: string): Promise<string> {
  const isSaid =
    variables.some((name) => env[name] !== undefined) || mayMention(words, [projectFile(root), userFile(env, home)])
  return isSaid ? (await import('../../config/layers.ts')).loadConfig({ root, env, home }).config.backlog : usualBacklog
}

/** Tasks in file order; null when the default file is missing or has no `tasks`, and so is not a backlog. */
export async function listBacklog(context: AppContext, file: string | null): Promise<BacklogTask[] | null> {
  const { path, name } = await backlogFileOf(context, file)
  const read = readFile(path, name)
  if (read === null && file !== null) throw missing(name)
  if (read === null) return null
  const document = parseBacklog(read.source, name)
  if (file === null && !Object.hasOwn(document.root, 'tasks')) return null
  const { tasks } = document.root
  if (!Array.isArray(tasks) || !tasks.every(isListable))
    throw invalid(document, name) ?? backlogError(name, 'is not a backlog')
  return tasks.map(toRow)
}

/**
 * Turns ENVIRONMENT_IO into CONFIG_BACKLOG: there is no run to pause here, and the user has to name another file or fix
 * this one.
 */
function readFile(path: string, name: string): Read | null {
  try {
    return readBacklog(path, name)
  } catch (error) {
    if (!(error instanceof LooperError) || error.code !== 'ENVIRONMENT_IO') throw error
    throw new LooperError('CONFIG_BACKLOG', error.message, { cause: error, hint: error.hint })
  }
}

const missing = (name: string): LooperError =>
  backlogError(name, 'there is no such file', {
    hint: 'Name the file of the backlog, or write one: { "tasks": [ { "id": "T001", "title": "…" } ] }',
  })

export async function validateBacklog(context: AppContext, file: string | null): Promise<ValidatedBacklog> {
  const { path, name } = await backlogFileOf(context, file)
  const { source } = readFile(path, name) ?? raise(missing(name))
  const { document, problems } = inspectSource(source, { forRuns: true })
  const folders = [rootAround(context.cwd), dirname(path)]
  const isThere = (named: string): boolean => folders.some((folder) => existsSync(resolve(folder, named)))
  const isUsable = document !== null && problems.length === 0
  const warnings = isUsable ? [...missingFiles(document, isThere), ...(await unknownIn(document, context))] : []
  return {
    file: name,
    tasks: document?.tasks.length ?? 0,
    problems,
    warnings,
    complete: problems.length < mostProblems,
  }
}

/** An invalid configuration is not a problem of the backlog: the commands that need it report it. */
async function unknownIn(document: Document, { cwd, env, home }: AppContext): Promise<Problem[]> {
  if (!namesChecks(document)) return []
  const root = rootAround(cwd)
  const [{ loadConfig }, { checksInForce }, { discoverIn }] = await Promise.all([
    import('../../config/layers.ts'),
    import('../prepare/check-settings.ts'),
    import('../prepare/discover.ts'),
  ])
  try {
    const { list } = await checksInForce(loadConfig({ root, env, home }), discoverIn(root, env))
    return unknownChecks(
      document,
      list.map(({ name }) => name),
    )
  } catch (error) {
    if (error instanceof LooperError) return []
    throw error
  }
}

/** `write` replaces the file with the formatted text when they differ. */
export async function formatBacklog(
  context: AppContext,
  file: string | null,
  { write, diff }: { write: boolean; diff: boolean },
): Promise<FormattedBacklog> {
  const { path, name } = await backlogFileOf(context, file)
  const { read, text } = write ? await rewrite(path, name) : formatted(path, name)
  const changed = text !== read.source
  return { file: name, text, changed, diff: diff && changed ? await difference(name, read.source, text) : '' }
}

function formatted(path: string, name: string): { read: Read; text: string } {
  const read = readFile(path, name) ?? raise(missing(name))
  return { read, text: formatSource(read.source, name) }
}

function rewrite(path: string, name: string): Promise<{ read: Read; text: string }> {
  return untilWritten(name, async () => {
    const found = formatted(path, name)
    return found.text === found.read.source || (await replaceFile(path, found.text, found.read)) !== null ? found : null
  })
}

async function difference(name: string, before: string, after: string): Promise<string> {
  const { unifiedDiff } = await import('./unified-diff.ts')
  return unifiedDiff(name, before, after)
}

function raise(error: Error): never {
  throw error
}
