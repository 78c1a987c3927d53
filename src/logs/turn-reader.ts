/** Reads the stream of one turn as a log, in blocks, for any length and while the agent still writes it. */
import type { AgentEvent } from '../agents/adapter.ts'
import type { Mask } from '../agents/mask.ts'
import { parseLine } from '../agents/json.ts'
import { parserOf } from '../agents/registry.ts'
import type { AgentErrorKind } from '../model/agent-error.ts'
import type { LogContent, LogEvent } from '../model/log.ts'
import type { Artifacts, OpenArtifact } from '../model/ports.ts'
import { createLineSplitter } from '../platform/line-splitter.ts'
import type { Turn } from './chronicle.ts'
import { errorText } from './journal-log.ts'

export interface ReadOptions {
  artifacts: Pick<Artifacts, 'open'>
  /** Applied to running turns; the file of an ended turn is already scrubbed. */
  mask: Mask
  /** Offset in bytes to start at; a line that begins before it is skipped. */
  from?: number
  /** The current time, for new lines without a timestamp; null: such lines get the start time of the turn. */
  now?: () => string | null
}

export interface TurnReader {
  turn: Turn
  /** Reads a bounded amount. False when there is nothing more yet. */
  read(): Promise<boolean>
  /** Reads the rest of the stream after the turn has ended. */
  end(): Promise<void>
  /** The events read since the last call. */
  take(): LogEvent[]
  /** Whether the stream has printed a timestamp so far; null when this agent never does. */
  knowsTime(): boolean | null
  close(): Promise<void>
}

const maxLineBytes = 10 * 1024 * 1024
const newline = 0x0a
const blockBytes = 64 * 1024

export function createTurnReader(turn: Turn, options: ReadOptions): TurnReader {
  const { from = 0, now = () => null } = options
  const parser = parserOf(turn.work.agent, { agent: turn.agent, work: turn.work, startedAt: turn.startedAt })
  /** A file that is already open keeps its secrets, because scrubbing replaces the file. */
  const mask = turn.endedAt === null ? options.mask : (text: string): string => text
  /** Used again for each block: new buffers would pile up until the next garbage collection. */
  const block = Buffer.allocUnsafeSlow(blockBytes)
  let file: OpenArtifact | null = null
  let events: LogEvent[] = []
  // Starts one byte earlier, to see whether a line begins at `from`.
  let offset = Math.max(0, from - 1)
  let skipping = from > 0
  let latest = turn.startedAt
  /** An error waits for the next event. It is dropped when the turn ended with the same error. */
  let held: { event: LogEvent; kind: AgentErrorKind } | null = null

  const knowsTime = (): boolean | null => (parser.lastTime === undefined ? null : parser.lastTime() !== turn.startedAt)
  const stamp = (): string => {
    const time = knowsTime() === true ? (parser.lastTime?.() ?? null) : now()
    if (time !== null && time > latest) latest = time
    return turn.endedAt !== null && latest > turn.endedAt ? turn.endedAt : latest
  }
  const release = (): void => {
    if (held !== null) events.push(held.event)
    held = null
  }
  const emit = (content: LogContent, kind: AgentErrorKind | null = null): void => {
    release()
    const event: LogEvent = { timestamp: stamp(), ...content, ...turn.origin }
    if (kind === null) events.push(event)
    else held = { event, kind }
  }
  const take = (line: string): void => {
    for (const event of parser.push(mask(line))) {
      const content = contentOf(event)
      if (content !== null) emit(content, event.type === 'error' ? event.error.kind : null)
    }
  }
  const splitter = createLineSplitter(maxLineBytes, take, (bytes) => {
    parser.skip(bytes)
    emit({ type: 'message', content: `(a line of ${bytes} bytes is not shown)` })
  })
  const push = (bytes: Buffer): void => {
    const begin = skipping ? bytes.indexOf(newline) + 1 : 0
    if (skipping && begin === 0) return
    skipping = false
    splitter.push(bytes.subarray(begin))
  }
  const read = async (): Promise<boolean> => {
    file ??= turn.stream === null ? null : await options.artifacts.open(turn.stream)
    if (file === null) return false
    // A truncated file is read from its new end.
    offset = Math.min(offset, await file.size())
    const length = await file.read(offset, block)
    offset += length
    push(block.subarray(0, length))
    return length > 0
  }
  return {
    turn,
    read,
    knowsTime,
    async end() {
      while (await read());
      splitter.end()
      if (held?.kind === turn.failure) held = null
      release()
    },
    take() {
      const taken = events
      events = []
      return taken
    },
    async close() {
      await file?.close()
      file = null
    },
  }
}

function contentOf(event: AgentEvent): LogContent | null {
  switch (event.type) {
    case 'message':
      return spoken(event.text)
    // Of unknown lines, text is shown and JSON is not.
    case 'raw':
      return parseLine(event.text) === null ? spoken(event.text) : null
    case 'tool_use':
      return { type: 'tool_use', name: event.name, input: event.input ?? null }
    case 'command':
      return { type: 'command', command: event.command, exitCode: event.exitCode }
    case 'error':
      return { type: 'error', error: errorText(event.error) }
    case 'retry':
      return { type: 'error', error: `${errorText(event.error)} (the agent tries again by itself)` }
    case 'session':
    case 'usage':
    case 'quota':
      return null
  }
}

const spoken = (text: string): LogContent | null => (text.trim() === '' ? null : { type: 'message', content: text })
