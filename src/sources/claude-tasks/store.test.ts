import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SourceTask } from '../../model/source.ts'
import { createClaudeTaskStore } from './store.ts'

const at = '2026-03-01T10:00:00.000Z'
const task: SourceTask = {
  id: 'T7',
  title: 'New',
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: 3,
  status: 'todo',
  reason: null,
}

let home: string
let folder: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-claude-home-')))
  folder = join(home, '.claude', 'tasks', 'my-loop')
  mkdirSync(folder, { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (name: string, content: unknown): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>
const file = (id: string, more: object = {}): object => ({
  id,
  subject: `Task ${id}`,
  description: '',
  status: 'pending',
  blocks: [],
  blockedBy: [],
  ...more,
})

describe('a list as Claude Code leaves it (B13)', () => {
  test('is read by number, without locks, marks and what was deleted', async () => {
    for (const id of ['10', '2', '1', 'notes']) put(`${id}.json`, file(id))
    put('3.json', file('3', { status: 'deleted' }))
    put('.highwatermark', '12')
    put('.lock', '')
    mkdirSync(join(folder, '1.json.lock'))
    expect((await createClaudeTaskStore(folder).list())?.map(({ id }) => id)).toEqual(['1', '2', '10', 'notes'])
  })

  test('is read however long it is', async () => {
    for (let n = 1; n <= 3_000; n++) put(`${n}.json`, file(String(n)))
    expect((await createClaudeTaskStore(folder).list())?.map(({ id }) => id)).toEqual(
      Array.from({ length: 3_000 }, (_, n) => String(n + 1)),
    )
  })

  test('is refused when a file is a pipe without a writer', async () => {
    execFileSync('mkfifo', [join(folder, '1.json')])
    await expect(createClaudeTaskStore(folder).list()).rejects.toMatchObject({
      code: 'CONFIG_BACKLOG',
      message: `${join(folder, '1.json')} is not a file of a task`,
    })
  })

  test('becomes tasks with all that a coder should read', async () => {
    put('1.json', file('1', { status: 'completed' }))
    put('4.json', {
      id: '4',
      subject: ' Add import ',
      description: 'Add it to src/auth.ts.\n',
      activeForm: 'Adding import',
      status: 'in_progress',
      owner: 'worker-1',
      blocks: ['5'],
      blockedBy: ['1', '3'],
      metadata: {
        wave: 2,
        loopId: 'auth',
        stuckCount: 0,
        priority: 1,
        files: ['src/auth.ts'],
        criteria: ['it compiles'],
      },
    })
    expect((await createClaudeTaskStore(folder).list())?.[1]).toEqual({
      id: '4',
      title: 'Add import',
      description: 'Add it to src/auth.ts.',
      dependsOn: ['1'],
      criteria: ['it compiles'],
      files: ['src/auth.ts'],
      type: null,
      priority: 1,
      byAgent: true,
      status: 'doing',
      reason: null,
      taken: true,
    })
  })

  test('have an unknown author, who may permit nothing, unless they say that a person wrote them', async () => {
    const fields = { repairs: ['lint'], allows: ['remove-tests'] }
    put('1.json', file('1', { metadata: fields }))
    put('2.json', file('2', { metadata: { ...fields, added_by: 'person' } }))
    const [agents, persons] = (await createClaudeTaskStore(folder).list()) ?? []
    expect(agents).toMatchObject({ byAgent: true, repairs: ['lint'] })
    expect(agents).not.toHaveProperty('allows')
    expect(persons).toMatchObject(fields)
    expect(persons).not.toHaveProperty('byAgent')
  })

  test("says what others have taken, and nothing of that kind of what is this run's own or closed", async () => {
    put('1.json', file('1', { status: 'in_progress', owner: 'worker-1' }))
    put('2.json', file('2', { status: 'pending', owner: 'worker-1' }))
    put('3.json', file('3', { status: 'in_progress', owner: 'looper/001-x' }))
    put('4.json', file('4', { status: 'completed', owner: 'worker-1' }))
    put('5.json', file('5', { status: 'pending' }))
    const tasks = await createClaudeTaskStore(folder, { owner: 'looper/001-x' }).list()
    expect(tasks?.filter(({ taken }) => taken).map(({ id }) => id)).toEqual(['1', '2'])
  })

  test.each([
    ['{"id": "1",\n "subj', /1\.json: line 2, column 2: a string that is not closed/],
    [{ id: '1', status: 'pending' }, /not a task of Claude Code/],
    [[1, 2], /not a task/],
    [file('1', { status: 'dreaming' }), /not a task/],
    [`[${'"x",'.repeat(1_200_000)}]`, /not a file of a task/],
  ])('is refused when a file is broken for good: %#', async (content, message) => {
    put('1.json', content)
    const store = createClaudeTaskStore(folder)
    await expect(store.list()).rejects.toMatchObject({
      code: 'CONFIG_BACKLOG',
      message: expect.stringMatching(message),
    })
    put('1.json', file('1'))
    expect(await store.list()).toHaveLength(1)
  })

  test('is read again when a file is being written', async () => {
    put('1.json', '{"id": "1", "sub')
    const listing = createClaudeTaskStore(folder).list()
    setImmediate(() => put('1.json', file('1')))
    expect(await listing).toHaveLength(1)
  })

  test('that is not there is an outage', async () => {
    await expect(createClaudeTaskStore(join(folder, '..', 'gone')).list()).rejects.toMatchObject({
      code: 'ENVIRONMENT_SOURCE',
      message: expect.stringMatching(/no task list "gone"/),
    })
    await expect(createClaudeTaskStore(join(folder, '..', 'gone')).add(task, at)).rejects.toMatchObject({
      code: expect.stringMatching(/^ENVIRONMENT_/),
    })
  })
})

describe('what Claude Code finds afterwards', () => {
  test('a claim is an owner and a status, and everything else as it was', async () => {
    put('1.json', file('1', { metadata: { wave: 1 }, owner: '' }))
    const store = createClaudeTaskStore(folder)
    expect(await store.claim('1', 'looper/001-x', at)).toBe(true)
    expect(read('1.json')).toEqual(file('1', { metadata: { wave: 1 }, status: 'in_progress', owner: 'looper/001-x' }))
    expect(readFileSync(join(folder, '1.json'), 'utf8')).toBe(JSON.stringify(read('1.json'), null, 2))
    expect(readdirSync(folder).toSorted()).toEqual(['.lock', '1.json'])
  })

  test('claims no task of another actor, named or not, and none that is done', async () => {
    put('1.json', file('1', { status: 'in_progress', owner: 'worker-1' }))
    put('2.json', file('2', { status: 'in_progress' }))
    put('3.json', file('3', { status: 'pending', owner: 'worker-1' }))
    put('4.json', file('4', { status: 'completed' }))
    const store = createClaudeTaskStore(folder)
    for (const id of ['1', '2', '3', '4']) expect(await store.claim(id, 'run-1', at), id).toBe(false)
    await store.update('4', { status: 'doing', reason: null, summary: null, files: [], at })
    expect(read('4.json')['status']).toBe('completed')
  })

  test('reports in the metadata what Claude Code has no words for, and takes it back', async () => {
    put('1.json', file('1', { metadata: { wave: 1 } }))
    put('2.json', file('2'))
    const store = createClaudeTaskStore(folder)
    await store.update('1', { status: 'blocked', reason: 'no key', summary: null, files: [], at })
    expect(read('1.json')).toMatchObject({
      status: 'pending',
      metadata: { wave: 1, looper: { status: 'blocked', reason: 'no key' } },
    })
    await store.update('1', { status: 'todo', reason: null, summary: null, files: [], at })
    expect(read('1.json')).toEqual(file('1', { metadata: { wave: 1 } }))
    await store.update('2', { status: 'blocked', reason: 'no key', summary: null, files: [], at })
    await store.update('2', { status: 'todo', reason: null, summary: null, files: [], at })
    expect(read('2.json')).toEqual(file('2'))
    await store.close('1', { status: 'done', reason: null, summary: 'made it', files: ['a.ts'], at })
    expect(read('1.json')).toMatchObject({
      status: 'completed',
      metadata: { looper: { summary: 'made it', changed: ['a.ts'] } },
    })
    expect((await store.list())?.[0]?.files).toEqual([])
  })

  test('listens to Claude Code where the two say different things', async () => {
    put('1.json', file('1', { status: 'in_progress', metadata: { looper: { status: 'blocked', reason: 'no key' } } }))
    put('2.json', file('2', { status: 'pending', metadata: { looper: { status: 'cancelled', reason: 'no need' } } }))
    expect((await createClaudeTaskStore(folder).list())?.map(({ status, reason }) => [status, reason])).toEqual([
      ['doing', null],
      ['todo', null],
    ])
  })

  test.each([
    [null, '3'],
    ['7', '8'],
    ['garbage', '3'],
  ])('a new task gets the next number, with %s as the highest that ever was', async (mark, id) => {
    put('1.json', file('1'))
    put('2.json', file('2'))
    if (mark !== null) put('.highwatermark', mark)
    await createClaudeTaskStore(folder).add({ ...task, dependsOn: ['1', 'T99'] }, at)
    expect(read(`${id}.json`)).toEqual({
      id,
      subject: 'New',
      description: '',
      activeForm: 'New',
      status: 'pending',
      blocks: [],
      blockedBy: ['1'],
      metadata: { looper: { id: 'T7', priority: 3, added_by: 'person' } },
    })
    expect(read('1.json')['blocks']).toEqual([id])
    expect(readFileSync(join(folder, '.highwatermark'), 'utf8')).toBe(id)
  })
})
