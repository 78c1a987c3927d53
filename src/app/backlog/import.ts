/**
 * `looper import`: copies the tasks of other programs into the backlog. Importing the same tasks again adds nothing.
 */
import { basename, relative, resolve } from 'node:path'
import { loadConfig } from '../../config/layers.ts'
import type { SourceUpdate } from '../../model/source.ts'
import { mergeTasks } from '../../sources/import/merge.ts'
import { createTodoFile } from '../../sources/todo-file/store.ts'
import type { ImportReport, ImportRequest } from '../../api/backlog.ts'
import { rootAround } from '../../workspace/git/find-root.ts'
import type { AppContext } from '../context.ts'
import { gather } from './import-source.ts'

/** Writes nothing until all tasks are read and merged. */
export async function importTasks(context: AppContext, request: ImportRequest): Promise<ImportReport> {
  const root = rootAround(context.cwd)
  const file = request.into === null ? backlogOf(context, root) : resolve(context.cwd, request.into)
  const backlog = createTodoFile(file, relative(context.cwd, file) || basename(file))
  const { source, format, tasks, notes } = await gather(context, root, request)
  const merge = mergeTasks((await backlog.list()) ?? [], tasks)
  if (!request.dryRun) {
    const at = new Date().toISOString()
    for (const task of merge.added) await backlog.add(task, at)
    for (const { id, task } of merge.closed) await backlog.close(id, closing(task, at))
    await backlog.settle()
  }
  return {
    source,
    format,
    file,
    dryRun: request.dryRun,
    added: merge.added.map(({ id, title, status }) => ({ id, title, status })),
    closed: merge.closed.map(({ id, task: { title, status } }) => ({ id, title, status })),
    unchanged: merge.unchanged,
    notes: [...notes, ...merge.notes],
  }
}

const closing = ({ status, reason }: Pick<SourceUpdate, 'status' | 'reason'>, at: string): SourceUpdate => ({
  status,
  reason,
  summary: null,
  files: [],
  at,
})

const backlogOf = ({ env, home }: AppContext, root: string): string =>
  resolve(root, loadConfig({ root, env, home }).config.backlog)
