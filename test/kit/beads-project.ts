/** A folder with a database of the stand-in for bd, and the changes of another actor. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const bdProgram = join(import.meta.dirname, 'bd.js')

export type Issue = Record<string, unknown> & { id: string }

export interface BeadsProject {
  root: string
  issues(): Issue[]
  issue(id: string): Issue
  change(id: string, change: Record<string, unknown>): void
  remove(): void
}

/** The first is listed first: among equals bd shows the newest first. */
export function createBeadsProject(issues: readonly Record<string, unknown>[]): BeadsProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'looper-beads-')))
  const file = join(root, '.beads', 'stand-in.json')
  mkdirSync(join(root, '.beads'))
  const planted = issues.map((issue, n) => ({
    id: `bd-${n + 1}`,
    title: `Issue ${n + 1}`,
    status: 'open',
    priority: 2,
    issue_type: 'task',
    labels: ['loop/auth'],
    created_at: new Date(Date.UTC(2026, 0, 31) - n * 1_000).toISOString(),
    updated_at: '2026-01-31T00:00:00Z',
    ...issue,
  }))
  const save = (all: readonly unknown[]): void =>
    writeFileSync(file, JSON.stringify({ prefix: 'bd', count: 0, issues: all }))
  const read = (): Issue[] => (JSON.parse(readFileSync(file, 'utf8')) as { issues: Issue[] }).issues
  save(planted)
  return {
    root,
    issues: read,
    issue: (id) => read().find((issue) => issue.id === id) as Issue,
    change: (id, change) => save(read().map((issue) => (issue.id === id ? { ...issue, ...change } : issue))),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
