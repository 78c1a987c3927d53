import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMask } from '../agents/mask.ts'
import type { LogEvent } from '../model/log.ts'
import { fileArtifacts } from '../journal/file-artifacts.ts'
import type { Turn } from './chronicle.ts'
import { createTurnReader, type ReadOptions } from './turn-reader.ts'

const recordings = resolve(import.meta.dirname, '../../test/recordings')
const startedAt = '2026-01-01T00:00:00.000Z'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-turn-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const turnOf = (agent: string, changes: Partial<Turn> = {}): Turn => {
  const work = {
    kind: 'turn',
    id: 'T001/a1/implement',
    slot: '',
    workspace: 'T001',
    role: 'coder',
    purpose: 'implement',
    agent,
    model: null,
    task: 'T001',
    attempt: 1,
    errors: [],
    tree: null,
    base: null,
  } as const
  const origin = { run: '001-x', task: 'T001', turn: work.id, role: work.role, agent }
  return {
    seq: 1,
    work: { ...work, errors: [] },
    origin,
    agent: {},
    startedAt,
    endedAt: '2100-01-01T00:00:00.000Z',
    failure: null,
    stream: 'stream',
    ...changes,
  }
}

const options = (): ReadOptions => ({ artifacts: fileArtifacts(folder), mask: createMask({}, []) })

const read = async (turn: Turn, changes: Partial<ReadOptions> = {}): Promise<LogEvent[]> => {
  const reader = createTurnReader(turn, { ...options(), ...changes })
  while (await reader.read());
  await reader.end()
  await reader.close()
  return reader.take()
}

/** The events without their origin and time. */
const contents = (events: readonly LogEvent[]): unknown[] =>
  events.map(({ timestamp: _t, run: _r, task: _k, turn: _u, role: _o, agent: _a, ...content }) => content)

const recorded = (name: string): void => writeFileSync(join(folder, 'stream'), readFileSync(join(recordings, name)))

describe('D8: what the real agents printed', () => {
  const commands = [
    { type: 'command', command: 'echo one', exitCode: 0 },
    { type: 'command', command: 'echo two >&2; exit 3', exitCode: 3 },
    { type: 'message', content: 'The second one failed.' },
  ]
  test.each([
    ['claude', 'claude-2.1.325', commands],
    [
      'codex',
      'codex-0.166.0',
      commands.map((command) =>
        command.type === 'command'
          ? { ...command, command: expect.stringContaining(String(command.command)) as string }
          : command,
      ),
    ],
    // Gemini CLI does not report exit codes.
    [
      'gemini',
      'gemini-0.61.0',
      commands.map((command) => (command.type === 'command' ? { ...command, exitCode: null } : command)),
    ],
    ['opencode', 'opencode-1.18.33', commands],
  ])('%s', async (agent, version, expected) => {
    recorded(`${version}/tool-command.jsonl`)
    const events = await read(turnOf(agent))
    expect(contents(events).filter((each) => (each as LogEvent).type !== 'tool_use')).toEqual(expected)
    expect(events.filter(({ type }) => type === 'tool_use')).toHaveLength(2)
    for (const event of events)
      expect(event).toMatchObject({ run: '001-x', task: 'T001', turn: 'T001/a1/implement', role: 'coder', agent })
  })

  test.each([
    ['claude', 'claude-2.1.325', true],
    ['gemini', 'gemini-0.61.0', true],
    ['opencode', 'opencode-1.18.33', true],
    ['codex', 'codex-0.166.0', false],
  ])('%s reports what time it is: %s %s', async (agent, version, tells) => {
    recorded(`${version}/tool-command.jsonl`)
    const times = (await read(turnOf(agent))).map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted())
    expect(times.at(-1)! > startedAt).toBe(tells)
    const cut = (await read(turnOf(agent, { endedAt: startedAt }))).map(({ timestamp }) => timestamp)
    expect(new Set(cut)).toEqual(new Set([startedAt]))
  })

  test('retries and errors are errors', async () => {
    recorded('claude-2.1.325/auth-401.jsonl')
    expect(contents(await read(turnOf('claude'))).at(-1)).toMatchObject({
      type: 'error',
      error: expect.stringMatching(/^auth: /) as string,
    })
    expect(
      contents(await read(turnOf('claude', { failure: 'auth' }))).filter(
        (each) => (each as LogEvent).type === 'error' && !/again/.test((each as { error: string }).error),
      ),
    ).toEqual([])
  })
})

describe('what anybody may print', () => {
  const print = (...lines: string[]): void => writeFileSync(join(folder, 'stream'), lines.join('\n'))

  test('events of the protocol, prose, and JSON that is no event', async () => {
    print(
      '{"type":"message","text":"hello"}',
      'plain words',
      '{"status":"complete"}',
      '{"type":"tool_use","name":"read","input":{"path":"a"}}',
      '   ',
      '{"type":"command","command":"npm test","exitCode":1}',
      '{"type":"usage","inputTokens":1}',
      '{"type":"error","kind":"overloaded","message":"busy"}',
      'and a last line without an end',
    )
    expect(contents(await read(turnOf('mine')))).toEqual([
      { type: 'message', content: 'hello' },
      { type: 'message', content: 'plain words' },
      { type: 'tool_use', name: 'read', input: { path: 'a' } },
      { type: 'command', command: 'npm test', exitCode: 1 },
      { type: 'error', error: 'overloaded: busy' },
      { type: 'message', content: 'and a last line without an end' },
    ])
  })

  test('the error that ended the turn is left to the end event', async () => {
    print(
      '{"type":"error","kind":"network","message":"first"}',
      '{"type":"message","text":"again"}',
      '{"type":"error","kind":"network","message":"last"}',
    )
    const errors = async (failure: Turn['failure']): Promise<unknown[]> =>
      contents(await read(turnOf('mine', { failure }))).filter((each) => (each as LogEvent).type === 'error')
    expect(await errors(null)).toEqual([
      { type: 'error', error: 'network: first' },
      { type: 'error', error: 'network: last' },
    ])
    expect(await errors('network')).toEqual([{ type: 'error', error: 'network: first' }])
    expect(await errors('crash')).toHaveLength(2)
  })

  test('a line that is far too long, bytes that are no text', async () => {
    writeFileSync(
      join(folder, 'stream'),
      Buffer.concat([Buffer.alloc(10 * 1024 * 1024 + 1, 'x'), Buffer.from([0x0a, 0xff, 0xfe, 0x0a])]),
    )
    expect(contents(await read(turnOf('mine')))).toEqual([
      { type: 'message', content: '(a line of 10485761 bytes is not shown)' },
      { type: 'message', content: '\uFFFD\uFFFD' },
    ])
  })

  test.each([
    ['nothing', () => {}],
    [
      'a link',
      () => {
        writeFileSync(join(folder, 'elsewhere'), 'secret\n')
        symlinkSync('elsewhere', join(folder, 'stream'))
      },
    ],
    [
      'a pipe without a writer',
      () => {
        execFileSync('mkfifo', [join(folder, 'stream')])
      },
    ],
    [
      'a folder',
      () => {
        execFileSync('mkdir', [join(folder, 'stream')])
      },
    ],
  ])('%s in the place of the stream: nothing is read', async (_, put) => {
    put()
    expect(await read(turnOf('mine'))).toEqual([])
  })
})

describe('while it grows', () => {
  const stream = (): string => join(folder, 'stream')
  const live = () => createTurnReader(turnOf('mine', { endedAt: null }), options())
  const heard = async (reader: ReturnType<typeof live>): Promise<unknown[]> => {
    while (await reader.read());
    return contents(reader.take())
  }

  test('lines come when they are whole, from a file that came later', async () => {
    const reader = live()
    expect(await heard(reader)).toEqual([])
    writeFileSync(stream(), '{"type":"message","te')
    expect(await heard(reader)).toEqual([])
    appendFileSync(stream(), 'xt":"one"}\n{"type":"message","text":"two"}\nthr')
    expect(await heard(reader)).toEqual([
      { type: 'message', content: 'one' },
      { type: 'message', content: 'two' },
    ])
    appendFileSync(stream(), 'ee')
    await reader.end()
    expect(contents(reader.take())).toEqual([{ type: 'message', content: 'three' }])
    await reader.close()
  })

  test('a file that was cut short goes on from its new end', async () => {
    const reader = live()
    writeFileSync(stream(), 'one\ntwo\n')
    expect(await heard(reader)).toHaveLength(2)
    truncateSync(stream(), 0)
    expect(await heard(reader)).toEqual([])
    appendFileSync(stream(), 'three\n')
    expect(await heard(reader)).toEqual([{ type: 'message', content: 'three' }])
    await reader.close()
  })

  test('secrets are masked, also in what is left when the turn is over', async () => {
    const mask = createMask({ MY_TOKEN: 'swordfish-123' }, [])
    const turn = turnOf('mine', { endedAt: null })
    const reader = createTurnReader(turn, { ...options(), mask })
    writeFileSync(stream(), 'it is swordfish-123\n')
    expect(await heard(reader)).toEqual([{ type: 'message', content: 'it is [MY_TOKEN]' }])
    turn.endedAt = startedAt
    appendFileSync(stream(), 'again swordfish-123\n')
    await reader.end()
    expect(contents(reader.take())).toEqual([{ type: 'message', content: 'again [MY_TOKEN]' }])
    await reader.close()
  })

  test('from the middle on, a line that began before is left out', async () => {
    writeFileSync(stream(), 'one\ntwo\nthree\n')
    const words = async (from: number): Promise<unknown[]> =>
      (await read(turnOf('mine'), { from })).map((event) => (event.type === 'message' ? event.content : null))
    expect(await Promise.all([0, 1, 3, 4, 5, 8, 9, 14].map(words))).toEqual([
      ['one', 'two', 'three'],
      ['two', 'three'],
      ['two', 'three'],
      ['two', 'three'],
      ['three'],
      ['three'],
      [],
      [],
    ])
  })
})
