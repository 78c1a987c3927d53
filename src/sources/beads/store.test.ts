import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { bdProgram, createBeadsProject, type BeadsProject } from '../../../test/kit/beads-project.ts'
import type { SourceUpdate, TaskStore } from '../../model/source.ts'
import { createBeadsStore, sessionLabel, type BeadsOptions } from './store.ts'

const at = '2026-03-01T10:00:00.000Z'
const edge = (from: string, to: string, type = 'blocks'): object => ({
  issue_id: from,
  depends_on_id: to,
  type,
  created_at: at,
})

let project: BeadsProject
afterEach(() => project.remove())

function open(
  issues: readonly Record<string, unknown>[],
  env: Record<string, string> = {},
  more: Partial<BeadsOptions> = {},
): TaskStore {
  project = createBeadsProject(issues)
  return createBeadsStore({
    root: project.root,
    program: bdProgram,
    label: sessionLabel('auth'),
    env: { ...process.env, BD_LOG: join(project.root, 'log'), ...env },
    ...more,
  })
}

const calls = (): string[][] =>
  readFileSync(join(project.root, 'log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[])

describe('what beads is asked (C9)', () => {
  test('asks for the issues of a session by their label, and for nothing that it does not need', async () => {
    const store = open([{ title: 'Mine' }, { title: 'Not mine', labels: ['loop/other'] }])
    expect((await store.list())?.map(({ title }) => title)).toEqual(['Mine'])
    expect(await store.claim('bd-2', 'run-1', at)).toBe(false)
    expect(await store.claim('bd-1', 'run-1', at)).toBe(true)
    await store.close('bd-1', { status: 'done', reason: null, summary: 'made it', files: [], at })
    expect(calls()).toEqual([
      ['ready', '--limit=0', '--json', '--label=loop/auth'],
      ['list', '--all', '--limit=0', '--json', '--label=loop/auth'],
      ['list', '--all', '--limit=0', '--json', '--label=loop/auth'],
      ['update', 'bd-1', '--json', '--claim', '--actor=run-1'],
      ['show', 'bd-1', '--json'],
      ['show', 'bd-1', '--json'],
      ['close', 'bd-1', '--json', '--reason=made it', '--force'],
      ['show', 'bd-1', '--json'],
    ])
  })

  test('lists more than bd shows unasked, and without a label all of it', async () => {
    const store = open(
      Array.from({ length: 120 }, (_, n) => ({ labels: n % 2 === 0 ? ['loop/auth'] : [] })),
      {},
      { label: null },
    )
    expect(await store.list()).toHaveLength(120)
  })

  test('understands both ways in which bd prints', async () => {
    const store = open([{ title: 'One' }], { BD_JSON_ENVELOPE: '1' })
    expect((await store.list())?.map(({ title }) => title)).toEqual(['One'])
    expect(await store.claim('bd-1', 'run-1', at)).toBe(true)
    await store.add(
      {
        id: 'T9',
        title: 'New',
        description: '',
        dependsOn: [],
        criteria: [],
        files: [],
        type: null,
        priority: 9,
        status: 'todo',
        reason: null,
      },
      at,
    )
    expect(project.issues().at(-1)).toMatchObject({
      title: 'New',
      priority: 4,
      issue_type: 'task',
      external_ref: 'looper:loop/auth:T9',
      labels: ['loop/auth'],
    })
  })

  test.each(['', '-x', 'a b', 'a,b', 'a"b'])('refuses the label %j', (label) => {
    project = createBeadsProject([])
    expect(() => createBeadsStore({ root: project.root, label })).toThrow(
      expect.objectContaining({ code: 'USAGE_ARGUMENTS' }),
    )
  })
})

describe('what beads knows', () => {
  test('becomes a task with all that a coder should read', async () => {
    const store = open([
      {
        title: 'Add login',
        description: 'Users need to log in.',
        design: 'JWT.',
        notes: 'Ask Ann.\n[looper] no key',
        issue_type: 'feature',
        priority: 0,
        acceptance_criteria: '- [ ] it works\n* it is fast\n\n3. it is safe',
        metadata: { files: ['src/login.ts', 7] },
        status: 'blocked',
      },
    ])
    expect(await store.list()).toEqual([
      {
        id: 'bd-1',
        title: 'Add login',
        description: 'Users need to log in.\n\nDesign:\nJWT.\n\nNotes:\nAsk Ann.',
        dependsOn: [],
        criteria: ['it works', 'it is fast', 'it is safe'],
        files: ['src/login.ts'],
        type: 'feature',
        priority: 0,
        byAgent: true,
        status: 'blocked',
        reason: 'no key',
      },
    ])
  })

  test('has an unknown author, who may permit nothing, unless it says that a person wrote it', async () => {
    const fields = { repairs: ['lint'], allows: ['remove-tests'] }
    const store = open([{ metadata: fields }, { metadata: { ...fields, added_by: 'person' } }])
    expect(await store.list()).toMatchObject([{ byAgent: true, repairs: ['lint'] }, fields])
    const [agents, persons] =
      (await createBeadsStore({ root: project.root, program: bdProgram, label: null }).list()) ?? []
    expect(agents).not.toHaveProperty('allows')
    expect(persons).not.toHaveProperty('byAgent')
  })

  test("says what others have taken, and nothing of that kind of what is this run's own or closed", async () => {
    const store = open([
      { status: 'in_progress', assignee: 'ann' },
      { status: 'open', assignee: 'ann' },
      { status: 'open' },
      { status: 'closed', assignee: 'ann' },
    ])
    await store.claim('bd-3', 'run-1', at)
    expect((await store.list())?.filter(({ taken }) => taken).map(({ id }) => id)).toEqual(['bd-1', 'bd-2'])
  })

  test("has a state in Looper's words", async () => {
    const states = [
      [{ status: 'open' }, 'todo', null],
      [{ status: 'in_progress', assignee: 'ann' }, 'doing', null],
      [{ status: 'hooked' }, 'doing', null],
      [{ status: 'blocked' }, 'blocked', null],
      [{ status: 'deferred' }, 'blocked', 'deferred'],
      [{ status: 'deferred', defer_until: '2027-01-01T00:00:00Z' }, 'blocked', 'deferred until 2027-01-01T00:00:00Z'],
      [{ status: 'closed', close_reason: 'Fixed' }, 'done', null],
      [{ status: 'closed', close_reason: 'Cancelled: no need' }, 'cancelled', 'no need'],
      [{ status: 'in_qa' }, 'blocked', 'its status there is in_qa'],
    ] as const
    const none = [{ status: 'pinned' }, { status: 'tombstone' }, { issue_type: 'gate' }, { issue_type: 'message' }]
    const store = open([...states.map(([issue]) => issue), ...none])
    expect((await store.list())?.map(({ status, reason }) => [status, reason])).toEqual(
      states.map(([, status, reason]) => [status, reason]),
    )
  })

  test('lets an epic wait for its parts, and leaves it to bd what issues of others hold up', async () => {
    const store = open([
      { issue_type: 'epic' },
      { dependencies: [edge('bd-2', 'bd-1', 'parent-child')] },
      { dependencies: [edge('bd-3', 'bd-1', 'parent-child'), edge('bd-3', 'bd-2')] },
      { dependencies: [edge('bd-4', 'bd-5'), edge('bd-4', 'bd-2', 'related')] },
      { labels: ['loop/other'] },
      { dependencies: [edge('bd-6', 'bd-7')] },
      { labels: ['loop/other'], status: 'closed', closed_at: at },
    ])
    expect((await store.list())?.map(({ id, dependsOn, status, reason }) => [id, dependsOn, status, reason])).toEqual([
      ['bd-1', ['bd-2', 'bd-3'], 'todo', null],
      ['bd-2', [], 'todo', null],
      ['bd-3', ['bd-2'], 'todo', null],
      ['bd-4', [], 'blocked', 'waits for bd-5'],
      ['bd-6', [], 'todo', null],
    ])
  })
})

describe('what is written to beads', () => {
  test('says once why a task is blocked, and leaves what others noted', async () => {
    const store = open([{ notes: 'Ask Ann.' }])
    const blocked: SourceUpdate = { status: 'blocked', reason: 'no\nkey', summary: null, files: [], at }
    await store.update('bd-1', blocked)
    await store.update('bd-1', blocked)
    await store.update('bd-1', { ...blocked, reason: 'no door' })
    await store.update('bd-1', blocked)
    expect(project.issue('bd-1')).toMatchObject({
      status: 'blocked',
      notes: 'Ask Ann.\n[looper] no key\n[looper] no door\n[looper] no key',
    })
    expect((await store.list())?.[0]).toMatchObject({ description: 'Notes:\nAsk Ann.', reason: 'no key' })
  })

  test('claims no issue of another actor, and reopens none', async () => {
    const store = open([
      { status: 'in_progress', assignee: 'ann' },
      { status: 'in_progress' },
      { status: 'closed', closed_at: at, close_reason: 'By hand' },
    ])
    expect(await store.claim('bd-1', 'run-1', at)).toBe(false)
    expect(await store.claim('bd-2', 'run-1', at)).toBe(false)
    await store.update('bd-3', { status: 'doing', reason: null, summary: null, files: [], at })
    await store.close('bd-3', { status: 'done', reason: null, summary: 'by me', files: [], at })
    expect(project.issue('bd-3')).toMatchObject({ status: 'closed', close_reason: 'By hand' })
  })

  test('does without what was deleted there', async () => {
    const store = open([{}])
    await store.list()
    project.change('bd-1', { id: 'bd-9' })
    await store.update('bd-1', { status: 'doing', reason: null, summary: null, files: [], at })
    await store.close('bd-1', { status: 'done', reason: null, summary: null, files: [], at })
    expect(await store.claim('bd-1', 'run-1', at)).toBe(false)
  })

  test('claims with a bd that knows nothing of claims', async () => {
    const store = open([{}, { status: 'in_progress', assignee: 'ann' }], { BD_TROUBLE: 'no-claim' })
    expect(await store.claim('bd-1', 'run-1', at)).toBe(true)
    expect(await store.claim('bd-1', 'run-2', at)).toBe(false)
    expect(await store.claim('bd-2', 'run-2', at)).toBe(false)
    expect(project.issue('bd-1')).toMatchObject({ status: 'in_progress', assignee: 'run-1' })
  })
})
