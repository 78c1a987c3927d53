/** Law of two writers on one file: whatever people do at whatever moment, no change of theirs or of the run is lost. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as tick } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { sourceStatuses, type SourceStatus } from '../../model/source.ts'
import { createTodoFile, type TodoFile } from './store.ts'

interface Task extends Record<string, unknown> {
  id: string
  status?: string
}
interface Backlog extends Record<string, unknown> {
  tasks: Task[]
}

/** How a person's editor writes: into the file, or by replacing it. */
type Manner = { atOnce: boolean; indent: number; mark: '' | '\uFEFF' }
type Hand =
  | { do: 'add' }
  | { do: 'delete' | 'note' | 'title' | 'status'; task: number; status: SourceStatus }
  | { do: 'reorder' }
  | { do: 'root' }
type Step =
  | { by: 'hand'; hand: Hand; manner: Manner }
  | { by: 'run'; do: 'update'; task: number; status: SourceStatus }
  | { by: 'run'; do: 'add' | 'list' | 'settle' }
  /** The person edits while the store settles, after so many turns of the event loop. */
  | { by: 'both'; hand: Hand; manner: Manner; after: number }

const status = fc.constantFrom(...sourceStatuses)
const hand: fc.Arbitrary<Hand> = fc.oneof(
  fc.record({
    do: fc.constantFrom('note' as const, 'title' as const, 'status' as const, 'delete' as const),
    task: fc.nat(9),
    status,
  }),
  fc.record({ do: fc.constantFrom('add' as const, 'reorder' as const, 'root' as const) }),
)
const manner: fc.Arbitrary<Manner> = fc.record({
  atOnce: fc.boolean(),
  indent: fc.constantFrom(0, 2, 4),
  mark: fc.constantFrom('' as const, '\uFEFF' as const),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ by: fc.constant('hand' as const), hand, manner }),
  fc.record({ by: fc.constant('run' as const), do: fc.constant('update' as const), task: fc.nat(9), status }),
  fc.record({
    by: fc.constant('run' as const),
    do: fc.constantFrom('add' as const, 'list' as const, 'settle' as const),
  }),
  fc.record({ by: fc.constant('both' as const), hand, manner, after: fc.nat(12) }),
)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-laws-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The file, a run and a person, with a model of the expected result. */
async function createWorld(path: string): Promise<{ take(step: Step): Promise<void>; end(): Promise<void> }> {
  const store: TodoFile = createTodoFile(path)
  let count = 0
  const read = (): Backlog => JSON.parse(readFileSync(path, 'utf8').replace('\uFEFF', '')) as Backlog
  const save = (backlog: Backlog, { atOnce, indent, mark }: Manner): void => {
    const text = mark + JSON.stringify(backlog, null, indent)
    writeFileSync(atOnce ? path : `${path}~`, text)
    if (!atOnce) renameSync(`${path}~`, path)
    saved = text
  }
  /** The text that the person wrote last, or that the run had written when it was last read. */
  let saved = ''
  /** The person's edits: their fields of each task, and the tasks that they removed. */
  const theirs = new Map<string, Record<string, unknown>>()
  const deleted = new Set<string>()
  let root: unknown
  /** Statuses: in the file, in the last snapshot of the store, and set by the run but not written. */
  const inFile = new Map<string, string>()
  const seen = new Map<string, string>()
  const sent = new Map<string, string>()
  const ours = new Set<string>()
  let changed = false

  save(
    { tasks: [1, 2, 3].map((number) => ({ id: `T${number}`, title: 'x', status: 'todo' })) },
    { atOnce: true, indent: 2, mark: '' },
  )
  for (const { id } of read().tasks) for (const each of [inFile, seen]) each.set(id, 'todo')
  await store.list()

  const handActs = (act: Hand, how: Manner): void => {
    const backlog = read()
    const mine = `by hand ${++count}`
    if (act.do === 'reorder') backlog.tasks.reverse()
    else if (act.do === 'root') backlog['root'] = root = mine
    else if (act.do === 'add') {
      const id = `H${count}`
      backlog.tasks.push({ id, title: mine, status: 'todo' })
      theirs.set(id, { title: mine })
      inFile.set(id, 'todo')
    } else {
      const task = backlog.tasks[act.task % Math.max(1, backlog.tasks.length)]
      if (task === undefined) return
      if (act.do === 'delete') {
        backlog.tasks = backlog.tasks.filter((each) => each !== task)
        deleted.add(task.id)
        inFile.delete(task.id)
      } else if (act.do === 'status') {
        task.status = act.status
        inFile.set(task.id, act.status)
      } else {
        task[act.do] = mine
        theirs.set(task.id, { ...theirs.get(task.id), [act.do]: mine })
      }
    }
    save({ ...backlog, edit: count }, how)
    changed = true
  }
  /** Models a poll of the store: a status that another writer changed drops the pending one. */
  const looked = (): void => {
    for (const id of sent.keys()) if (!ours.has(id) && inFile.get(id) !== seen.get(id)) sent.delete(id)
    seen.clear()
    for (const [id, value] of inFile) seen.set(id, value)
  }
  const written = (): void => {
    looked()
    for (const [id, value] of sent) inFile.set(id, value)
    sent.clear()
    ours.clear()
    for (const [id, value] of inFile) seen.set(id, value)
  }

  const check = (): void => {
    const backlog = read()
    const ids = backlog.tasks.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Map(backlog.tasks.map((task) => [task.id, task.status]))).toEqual(inFile)
    for (const task of backlog.tasks) expect(task).toMatchObject(theirs.get(task.id) ?? {})
    expect(ids.filter((id) => deleted.has(id))).toEqual([])
    expect(backlog['root']).toBe(root)
    saved = readFileSync(path, 'utf8')
  }
  const settle = async (act?: () => void, turns = 0): Promise<void> => {
    let idle = sent.size === 0
    const settling = store.settle()
    if (turns > 0 && !idle) {
      // The store polls first, and is finished when there is nothing to write.
      looked()
      idle = sent.size === 0
      for (let turn = 0; turn < turns; turn++) await tick()
      // The person has read what the run has written so far; the rest meets their edit.
      if (readFileSync(path, 'utf8') !== saved) written()
    }
    act?.()
    await settling
    if (!idle) written()
    check()
  }
  const list = async (): Promise<void> => {
    const found = await store.list()
    expect(found === null).toBe(!changed)
    changed = false
    looked()
    if (found !== null)
      expect(new Map(found.map((task) => [task.id, task.status]))).toEqual(new Map([...inFile, ...sent]))
  }
  const add = async (): Promise<void> => {
    const id = `R${++count}`
    await store.add(
      {
        id,
        title: 'ours',
        description: '',
        dependsOn: [],
        criteria: [],
        files: [],
        type: null,
        priority: 1,
        status: 'todo',
        reason: null,
      },
      'now',
    )
    sent.set(id, 'todo')
    ours.add(id)
  }
  const update = async (number: number, value: SourceStatus): Promise<void> => {
    const candidates = [...seen.keys(), ...ours]
    const id = candidates[number % Math.max(1, candidates.length)]
    if (id === undefined) return
    await store.update(id, { status: value, reason: null, summary: null, files: [], at: `time ${++count}` })
    if (!ours.has(id) && value === seen.get(id)) sent.delete(id)
    else sent.set(id, value)
  }

  return {
    async take(each) {
      if (each.by === 'hand') handActs(each.hand, each.manner)
      else if (each.by === 'both') {
        await settle(() => handActs(each.hand, each.manner), each.after)
      } else if (each.do === 'update') await update(each.task, each.status)
      else await { settle: () => settle(), list, add }[each.do]()
    },
    end: () => settle(),
  }
}

describe('D1: a file that people edit while a run works on it', () => {
  test('keeps every edit by hand, and every word of the run', async () => {
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const world = await createWorld(join(folder, `to-do-${number++}.json`))
        for (const each of steps) await world.take(each)
        await world.end()
      }),
      { numRuns: tries(400) },
    )
  })
})
