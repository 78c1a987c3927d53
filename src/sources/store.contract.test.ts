/** Runs the same contract suite against every source of tasks. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { bdProgram, createBeadsProject } from '../../test/kit/beads-project.ts'
import type { Kind } from '../../test/kit/planted-store.ts'
import { describeTaskStore } from '../../test/kit/store-contract.ts'
import type { SourceKind } from '../model/source.ts'
import { createBeadsStore } from './beads/store.ts'
import { createClaudeTaskStore } from './claude-tasks/store.ts'
import { createTodoFile } from './todo-file/store.ts'

const unknown = { kept: [1, 'two', null] }

const beads: Kind = {
  name: 'beads (C9)',
  isShared: true,
  plant(tasks) {
    const project = createBeadsProject(
      tasks.map(({ title, description, criteria = [], dependsOn = [], status = 'todo' }, n) => ({
        title,
        description,
        unknown,
        acceptance_criteria: criteria.map((line) => `- [ ] ${line}`).join('\n'),
        dependencies: dependsOn.map((on) => ({
          issue_id: `bd-${n + 1}`,
          depends_on_id: `bd-${on + 1}`,
          type: 'blocks',
          created_at: '2026-01-31T00:00:00Z',
        })),
        ...(status === 'done' ? { status: 'closed', closed_at: '2026-02-01T00:00:00Z', close_reason: 'Closed' } : {}),
      })),
    )
    const options = { root: project.root, program: bdProgram, label: 'loop/auth' }
    return {
      ids: tasks.map((_, n) => `bd-${n + 1}`),
      open: () => createBeadsStore(options),
      raw: project.issue,
      elsewhere: {
        rename: (id, title) => project.change(id, { title }),
        finish: (id) =>
          project.change(id, { status: 'closed', closed_at: '2026-02-01T00:00:00Z', close_reason: 'Fixed by hand' }),
      },
      inProcess: {
        module: join(import.meta.dirname, 'beads/store.ts'),
        call: `createBeadsStore(${JSON.stringify(options)})`,
      },
      remove: project.remove,
    }
  },
}

const claudeTasks: Kind = {
  name: 'Claude Code task lists (B13)',
  isShared: true,
  plant(tasks) {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-claude-tasks-')))
    const folder = join(home, 'tasks', 'my-loop')
    const fileOf = (id: string): string => join(folder, `${id}.json`)
    const raw = (id: string): Record<string, unknown> =>
      JSON.parse(readFileSync(fileOf(id), 'utf8')) as Record<string, unknown>
    const write = (id: string, content: object): void => writeFileSync(fileOf(id), JSON.stringify(content, null, 2))
    mkdirSync(folder, { recursive: true })
    for (const [n, { title, description = '', criteria, dependsOn = [], status }] of tasks.entries()) {
      write(String(n + 1), {
        id: String(n + 1),
        subject: title,
        description,
        activeForm: `Doing ${title}`,
        status: status === 'done' ? 'completed' : 'pending',
        blocks: [],
        blockedBy: dependsOn.map((on) => String(on + 1)),
        unknown,
        ...(criteria === undefined ? {} : { metadata: { criteria, wave: 1 } }),
      })
    }
    return {
      ids: tasks.map((_, n) => String(n + 1)),
      open: () => createClaudeTaskStore(folder),
      raw,
      elsewhere: {
        rename: (id, subject) => write(id, { ...raw(id), subject }),
        finish: (id) => write(id, { ...raw(id), status: 'completed' }),
      },
      inProcess: {
        module: join(import.meta.dirname, 'claude-tasks/store.ts'),
        call: `createClaudeTaskStore(${JSON.stringify(folder)})`,
      },
      remove: () => rmSync(home, { recursive: true, force: true }),
    }
  },
}

const todoFile: Kind = {
  name: 'to-do.json (D1)',
  // A run holds the lock of its backlog.
  isShared: false,
  plant(tasks) {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-todo-file-')))
    const file = join(home, 'to-do.json')
    const idOf = (n: number): string => `T${String(n + 1).padStart(3, '0')}`
    const read = (): { tasks: Record<string, unknown>[] } =>
      JSON.parse(readFileSync(file, 'utf8')) as { tasks: Record<string, unknown>[] }
    const change = (id: string, fields: object): void =>
      writeFileSync(
        file,
        JSON.stringify(
          { tasks: read().tasks.map((task) => (task['id'] === id ? { ...task, ...fields } : task)) },
          null,
          2,
        ),
      )
    const planted = tasks.map(({ title, description, criteria, dependsOn = [], status = 'todo' }, n) => ({
      id: idOf(n),
      title,
      description,
      criteria,
      depends_on: dependsOn.map(idOf),
      status,
      unknown,
    }))
    writeFileSync(file, JSON.stringify({ tasks: planted }, null, 2))
    return {
      ids: tasks.map((_, n) => idOf(n)),
      open: () => createTodoFile(file),
      raw: (id) => read().tasks.find((task) => task['id'] === id),
      elsewhere: { rename: (id, title) => change(id, { title }), finish: (id) => change(id, { status: 'done' }) },
      remove: () => rmSync(home, { recursive: true, force: true }),
    }
  },
}

/** A kind of source that is missing here does not compile. */
const kinds: Record<SourceKind, Kind> = { 'todo-file': todoFile, beads, 'claude-tasks': claudeTasks }

describe('a source of tasks', () => {
  for (const kind of Object.values(kinds)) describeTaskStore(kind)
})
