/** Runs in memory: the port says nothing that only files can do, and tests need no folder. */
import { createHash } from 'node:crypto'
import { checkAppend } from '../../src/journal/check-append.ts'
import { LooperError } from '../../src/model/error.ts'
import type { Command, Event } from '../../src/model/event.ts'
import type {
  Artifacts,
  Journal,
  JournalTail,
  RunLock,
  RunStore,
  Snapshots,
  StoredInbox,
  StoredJournal,
  StoredRun,
} from '../../src/model/ports.ts'
import { isRunId, nextRunId, sortRunIds } from '../../src/model/run-id.ts'
import type { RunState } from '../../src/model/state.ts'

/** Each store has folders of its own, none of which exists. */
let stores = 0

export function createMemoryStore(): RunStore {
  const folder = `/memory/${++stores}`
  const runs = new Map<string, StoredRun>()
  const claimed: string[] = []
  const open = (id: string): StoredRun => runs.get(id) ?? createMemoryRun(id, `${folder}/${id}`)
  const nextId = (goal: string, taken: readonly string[] = []): string => nextRunId(goal, [...claimed, ...taken])
  return {
    folder,
    list: async () => sortRunIds([...runs.keys()].filter(isRunId)),
    nextId: async (goal, taken) => nextId(goal, taken),
    async create(goal, taken) {
      const id = nextId(goal, taken)
      const run = open(id)
      claimed.push(id)
      runs.set(id, run)
      return run
    },
    open,
    async retire(id) {
      runs.delete(id)
      return `${folder}/${id}`
    },
    retired: async () => [],
    refresh: async () => {},
  }
}

export const createMemoryRun = (id: string, folder = `/memory/${id}`): StoredRun => ({
  id,
  folder,
  journal: createJournal(),
  inbox: createInbox(),
  lock: createLock(),
  artifacts: createArtifacts(),
})

function createJournal(): StoredJournal {
  /** Text, so that no object is shared with a caller. */
  const lines: string[] = []
  const changes = new Set<() => void>()
  let saved: string | null = null
  let changedAt: Date | null = null
  const since = (after: number): Event[] => lines.slice(after).map((line) => JSON.parse(line) as Event)
  const snapshots: Snapshots = {
    load: async () => (saved === null ? null : (JSON.parse(saved) as RunState)),
    async save(state) {
      if (state.seq > lines.length) throw new LooperError('BUG_INVARIANT', `The journal has no event ${state.seq}`)
      saved = JSON.stringify(state)
    },
  }
  const append = (events: readonly Event[]): void => {
    lines.push(...events.map((event) => JSON.stringify(event)))
    changedAt = new Date()
    for (const wake of changes) wake()
    changes.clear()
  }
  return {
    async open(onEvent = () => {}) {
      since(0).forEach((event) => onEvent(event))
      changedAt ??= new Date()
      let closed = false
      const journal: Journal = {
        load: async (after = 0) => since(after),
        async append(after, events) {
          if (closed) throw new LooperError('BUG_INVARIANT', 'The journal is closed')
          checkAppend(lines.length, after, events)
          if (events.length > 0) append(events)
        },
        async close() {
          closed = true
        },
      }
      return { journal, snapshots, tornBytes: 0 }
    },
    events: async (after = 0) => since(after),
    replay: async (onEvent, from) => since(from?.seq ?? 0).forEach((event) => onEvent(event)),
    async snapshot() {
      const state = await snapshots.load()
      return state === null ? null : { state, position: { seq: state.seq, offset: state.seq } }
    },
    first: async () => since(0)[0] ?? null,
    async inspect(onEvent = () => {}) {
      since(0).forEach((event) => onEvent(event))
      return { position: { seq: lines.length, offset: lines.length }, damage: null }
    },
    repair: async () => null,
    digest: async ({ offset }) => createHash('sha256').update(lines.slice(0, offset).join('\n')).digest('hex'),
    changedAt: async () => changedAt,
    tail: async ({ pollMs = 500, from } = {}) => createTail(since, (wake) => changes.add(wake), pollMs, from?.seq),
  }
}

function createTail(
  since: (after: number) => Event[],
  onChange: (wake: () => void) => void,
  pollMs: number,
  after = 0,
): JournalTail {
  const waiting = new Set<() => void>()
  const wakeAll = (): void => {
    for (const wake of waiting) wake()
    waiting.clear()
  }
  const timer = setInterval(wakeAll, pollMs)
  return {
    async read() {
      const events = since(after)
      after += events.length
      return events
    },
    changed: () =>
      new Promise((resolve) => {
        waiting.add(resolve)
        onChange(resolve)
      }),
    close() {
      clearInterval(timer)
      wakeAll()
    },
  }
}

function createInbox(): StoredInbox {
  const commands: Command[] = []
  let last = 0
  return {
    read: async () => structuredClone(commands),
    async acknowledge(id) {
      const at = commands.findIndex((command) => command.id === id)
      if (at >= 0) commands.splice(at, 1)
    },
    async send(request) {
      const id = String(++last)
      commands.push({ ...structuredClone(request), id })
      return id
    },
  }
}

/** "Another process" is any other caller. */
function createLock(): RunLock {
  let nudged: Set<() => void> | null = null
  let heartbeatAt: string | null = null
  return {
    async acquire() {
      if (nudged !== null) return null
      const callbacks = (nudged = new Set<() => void>())
      return {
        onNudge: (callback) => void callbacks.add(callback),
        async beat() {
          heartbeatAt = new Date().toISOString()
        },
        async release() {
          if (nudged === callbacks) nudged = null
        },
      }
    },
    isHeld: async () => nudged !== null,
    async nudge() {
      for (const callback of nudged ?? []) callback()
      return nudged !== null
    },
    holder: async () => (heartbeatAt === null ? null : { pid: process.pid, heartbeatAt }),
    wakeHolder: async () => null,
  }
}

function createArtifacts(): Artifacts {
  const files = new Map<string, Buffer>()
  return {
    async folders(name) {
      const inside = [...files.keys()].filter((path) => path.startsWith(`${name}/`))
      const parts = inside.map((path) => path.slice(name.length + 1).split('/'))
      return [...new Set(parts.flatMap(([first, ...rest]) => (rest.length > 0 ? (first ?? []) : [])))]
    },
    exists: async (name) => files.has(name),
    read: async (name, maxBytes) => files.get(name)?.subarray(0, maxBytes).toString() ?? null,
    async write(name, text) {
      files.set(name, Buffer.from(text))
    },
    async open(name) {
      const bytes = files.get(name)
      if (bytes === undefined) return null
      return {
        size: async () => bytes.length,
        read: async (offset, into) => bytes.subarray(offset).copy(into),
        close: async () => {},
      }
    },
  }
}
