/**
 * Uses the backlog file as a store of tasks. Updates of a run are buffered until `settle`, which writes them into the
 * current content of the file. Concurrent edits by people or agents are preserved; where both changed the same field,
 * the edit wins, and `list` reports it.
 */
import { basename } from 'node:path'
import { LooperError } from '../../model/error.ts'
import type { TaskStore } from '../../model/source.ts'
import { inTurn } from '../../platform/in-turn.ts'
import { isObject } from '../../model/object.ts'
import { backlogOf, createDocument, replaceDocument } from './create.ts'
import type { Document } from './document.ts'
import { editDocument } from './edit.ts'
import { inspectSource, invalid } from './inspect.ts'
import { createPending } from './pending.ts'
import { readBacklog } from './read-file.ts'
import { replaceFile, untilWritten } from './replace-file.ts'
import { refreshSnapshot, snapshotOf, type FileSnapshot } from './file-snapshot.ts'
import { statusOf } from './status.ts'
import { documentsIn, fieldsOf, fromSource, toSource, type FileTask } from './task.ts'

export type TodoFile = Required<TaskStore>

/**
 * `name` is the name of the file in errors. Without a file the list is empty, and settling the first task creates it.
 * Claims are exclusive because the caller holds the lock of the backlog. `onKept` receives the path of the backup when
 * a repaired backlog replaces the file.
 */
export function createTodoFile(
  path: string,
  name = basename(path),
  onKept: (backup: string) => void = () => {},
): TodoFile {
  const pending = createPending()
  let snapshot: FileSnapshot | null = null
  /** Whether another writer has changed something that `list` has not returned yet. */
  let news = true
  /** Caches the result of validating a document. */
  let judged: { document: Document; error: LooperError | null } | null = null

  /** The text at the last `list`; null when there was no file or it could not be read. */
  let listedText: string | null = null

  const refresh = async (): Promise<FileSnapshot> => {
    const next = await refreshSnapshot(path, name, snapshot)
    if (snapshot === null || next.document !== snapshot.document) {
      pending.reconcile(next)
      news = true
    }
    snapshot = next
    return next
  }
  const known = async (): Promise<FileSnapshot> => snapshot ?? refresh()

  const requireValid = ({ document }: FileSnapshot): void => {
    if (document === null) return
    if (judged?.document !== document) judged = { document, error: invalid(document, name) }
    if (judged.error !== null) throw judged.error
  }
  const inFile = ({ list, indexes }: FileSnapshot, id: string): FileTask | null => {
    const task = list[indexes.get(id) ?? -1]
    return isObject(task) ? task : null
  }
  const taskNamed = (state: FileSnapshot, id: string): FileTask | null => {
    const task = inFile(state, id)
    return task === null ? (pending.added().get(id) ?? null) : pending.over(task, id)
  }
  const send: TaskStore['update'] = async (id, change) => {
    const state = await known()
    const task = taskNamed(state, id)
    if (task !== null) pending.put(inFile(state, id) ?? task, id, fieldsOf(task, change))
  }

  const edited = (state: FileSnapshot): Document => {
    const edits = pending.edits(state)
    if (state.document === null) return backlogOf({}, edits.added)
    // Tasks cannot be written when `tasks` is not a list.
    if (!Array.isArray(state.root['tasks'] ?? [])) requireValid(state)
    return editDocument(state.document, edits)
  }
  /** Returns null when the file was changed in between. */
  const write = async (state: FileSnapshot): Promise<true | null> => {
    if (pending.isEmpty() || (state.document === null && pending.added().size === 0)) return true
    const document = edited(state)
    const read = await replaceFile(path, document.mark + document.text, state.read)
    if (read === null) return null
    // The updates of a run do not make a valid document invalid.
    if (judged !== null && judged.document === state.document) judged = { document, error: judged.error }
    snapshot = snapshotOf(read, document)
    return true
  }

  const turn = inTurn()
  const queued =
    <A extends unknown[], R>(action: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      turn(() => action(...args))
  return {
    list: queued(async () => {
      const state = await refresh().catch((error: unknown) => {
        listedText = sourceAt(path)
        throw withText(error, listedText)
      })
      listedText = state.read?.source ?? null
      try {
        requireValid(state)
      } catch (error) {
        throw withText(error, listedText)
      }
      if (!news) return null
      news = false
      const tasks = state.list.flatMap((task) => (isObject(task) ? [pending.over(task, String(task['id']))] : []))
      return [...tasks, ...pending.added().values()].map(toSource)
    }),
    claim: queued(async (id, _by, at) => {
      const task = taskNamed(await refresh(), id)
      if (task === null || !['todo', 'doing', 'blocked'].includes(statusOf(task['status']))) return false
      await send(id, { status: 'doing', reason: null, summary: null, files: [], at })
      return true
    }),
    update: queued(send),
    close: queued(send),
    add: queued(async (task, at) => pending.add(task.id, fromSource(task, at), await known())),
    documents: () => documentsIn(snapshot?.root ?? rootAt(path)),
    isComplete: () => isObject(snapshot?.root['completed']),
    complete: queued(async (run, at) => pending.putRoot({ completed: { at, run } }, await known())),
    replace: queued(async (tasks, at, why) => {
      const isOld = (source: string): boolean => why === 'repair' && source === listedText
      const { replaced, backup } = await replaceDocument(
        path,
        createDocument(tasks, { at }),
        at,
        (source) => !isOld(source) && (hasTasks(source) ?? (why === 'bootstrap' || listedText !== null)),
      )
      if (replaced) pending.clear()
      if (backup !== null) onKept(backup)
    }),
    settle: queued(async () => {
      if (pending.isEmpty()) return
      await untilWritten(name, async () => write(await refresh()))
      pending.clear()
    }),
  }
}

/** Reads the file when `list` has not been called yet; a broken file names no documents. */
function rootAt(path: string): Readonly<Record<string, unknown>> {
  const source = sourceAt(path)
  return source === null || source.trim() === '' ? {} : (inspectSource(source).document?.root ?? {})
}

/** Returns null when the backlog is invalid, for example because a person is still editing it. */
function hasTasks(source: string): boolean | null {
  if (source.trim() === '') return false
  const { document, problems } = inspectSource(source)
  return document === null || problems.length > 0 ? null : document.tasks.length > 0
}

/** Adds the text to the error, for the agent that repairs it. */
function withText(error: unknown, text: string | null): unknown {
  if (!(error instanceof LooperError) || error.code !== 'CONFIG_BACKLOG' || text === null) return error
  return new LooperError(error.code, error.message, {
    hint: error.hint,
    cause: error,
    details: { ...error.details, text },
  })
}

function sourceAt(path: string): string | null {
  try {
    return readBacklog(path, '')?.source ?? null
  } catch {
    return null
  }
}
