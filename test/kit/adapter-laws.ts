/** What every adapter has to do, whatever program it drives: one suite for all, from recorded streams. */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { tries } from './seed.ts'
import type { AgentEvent, AgentParser, Ending, TurnAnswer } from '../../src/agents/adapter.ts'
import { parseObject } from '../../src/agents/json.ts'
import { addUsage, noUsage } from '../../src/model/usage.ts'
import { createLineSplitter } from '../../src/platform/line-splitter.ts'
import type { Contract, Expected } from './adapter-contract.ts'
import { expectReset, expectSound, expectUsage } from './adapter-expectations.ts'
import { planLaws } from './plan-laws.ts'
import { loadRecording, namesIn, type Recording } from './recording.ts'
import { sampleTurn } from './state.ts'
import { damaged, endless, replaced, shapeOf, twists } from './twisted-lines.ts'

interface Played {
  name: string
  expected: Expected
  recording: Recording
  /** Reads all of it, or what is given in the place of a part of it. */
  play(change?: { lines?: readonly string[]; ending?: Partial<Ending> } & Pick<Expected, 'agent'>): {
    events: AgentEvent[]
    answer: TurnAnswer
    parser: AgentParser
  }
  parser(agent?: Expected['agent']): AgentParser
}

const unknown = [
  '{"type":"surprise","n":1}',
  '{"type":"system","subtype":"surprise"}',
  '{"type":"item.completed","item":{"type":"surprise"}}',
  '{"n":1}',
  'words',
  '{"type":',
  '[]',
  'null',
  '',
]

/** Ways in which a process ends that was not to end. */
const badEnds: Partial<Ending>[] = [
  { code: 1, signal: null },
  { code: null, signal: 'SIGKILL' },
]

export function adapterLaws(contract: Contract): void {
  const { adapter, folder, cases, sessionKey, looser = {}, unplayed = {}, extras = [] } = contract
  const read = contract.read ?? (async (name) => loadRecording(folder, name))
  const sessionId = looser.anySessionId === undefined ? /^\w[\w-]*$/ : /^/
  const sound = (answer: TurnAnswer, twist = ''): void => expectSound(answer, sessionId, twist)
  let all: Played[] = []

  beforeAll(async () => {
    all = await Promise.all(
      Object.entries(cases).map(async ([name, expected]) => prepare(name, expected, await read(name, expected))),
    )
  })

  function prepare(name: string, expected: Expected, recording: Recording): Played {
    const work = sampleTurn(expected.work)
    const parserOf: Played['parser'] = (agent) =>
      adapter.parser({
        agent: { ...contract.agent, ...expected.agent, ...agent },
        work,
        startedAt: recording.startedAt,
      })
    return {
      name,
      expected,
      recording,
      parser: parserOf,
      play({ lines = recording.lines, ending = {}, agent } = {}) {
        const parser = parserOf(agent)
        const events = lines.flatMap((line) => parser.push(line))
        return { parser, events, answer: parser.end({ ...recording.ending, ...ending }) }
      },
    }
  }

  planLaws(contract)

  test('every recording is expected to amount to something', () => {
    expect([...Object.keys(cases), ...Object.keys(unplayed)].toSorted()).toEqual(namesIn(folder))
  })

  test.each(Object.keys(cases))('%s (D5)', (name) => {
    const { expected, recording, play } = all.find((each) => each.name === name)!
    const { events, answer, parser } = play()
    const [inputTokens, outputTokens, costUsd] = expected.usage ?? [0, 0, 0]
    expect(answer.value).toEqual(expected.value ?? null)
    expect(answer.failure?.kind ?? null).toBe(expected.failure ?? null)
    expect(`${answer.failure?.message ?? ''} ${answer.problem ?? ''} ${answer.text}`).toContain(expected.message ?? '')
    expectReset(answer.failure?.resetsAt ?? null, recording, expected)
    expectUsage(answer.usage, { inputTokens, outputTokens, costUsd })
    if (expected.steps !== undefined) expect(parser.steps()).toBe(expected.steps)
    expect(parser.unrecoverable()?.kind).toBe(expected.unrecoverable)
    const wanted = typeof expected.events === 'function' ? expected.events(recording) : expected.events
    if (wanted !== undefined) expect(events.filter(({ type }) => telling.includes(type))).toEqual(wanted)
    if (expected.uses !== undefined)
      expect(events.flatMap((event) => (event.type === 'tool_use' ? event.name : []))).toEqual(expected.uses)
  })

  test('the session id is reported as soon as it is known', () => {
    for (const { name, expected, recording, play } of all) {
      const { events, answer, parser } = play()
      const id = expected.session === false ? null : parseObject(recording.lines[0] ?? '')?.[sessionKey]
      expect([answer.sessionId, parser.session()], name).toEqual([id, id])
      expect(events.flatMap((event) => (event.type === 'session' ? event.id : [])).at(-1) ?? null, name).toBe(id)
    }
  })

  test('usage events add up to the usage of the answer', () => {
    for (const { name, play } of all) {
      const { events, answer, parser } = play()
      const told = events.reduce((sum, event) => (event.type === 'usage' ? addUsage(sum, event.usage) : sum), noUsage)
      expectUsage(told, looser.costComesLast === undefined ? answer.usage : { ...answer.usage, costUsd: 0 }, name)
      expect(parser.usage(), name).toEqual(answer.usage)
    }
  })

  test('a subscription costs nothing (D5)', () => {
    for (const { name, play } of all)
      expect(play({ agent: { billing: 'subscription' } }).answer.usage.costUsd, name).toBe(0)
  })

  test('an unknown event is kept as it is, is never fatal, and changes nothing', () => {
    const kept = (answer: TurnAnswer): object =>
      looser.anyObjectAnswers === undefined
        ? answer
        : { usage: answer.usage, sessionId: answer.sessionId, failure: answer.failure?.kind }
    for (const { name, recording, play, parser } of all) {
      const [plain, disturbed] = [play(), parser()]
      for (const odd of unknown) expect(disturbed.push(odd)).toEqual([{ type: 'raw', text: odd }])
      const events = recording.lines.flatMap((line) => {
        const told = disturbed.push(line)
        for (const odd of unknown) expect(disturbed.push(odd), name).toEqual([{ type: 'raw', text: odd }])
        return told
      })
      expect(events, name).toEqual(plain.events)
      expect(kept(disturbed.end(recording.ending)), name).toEqual(kept(plain.answer))
      expect([disturbed.steps(), disturbed.unrecoverable()], name).toEqual([
        plain.parser.steps(),
        plain.parser.unrecoverable(),
      ])
    }
  })

  test('a stream that is cut anywhere is no success that the whole was not', () => {
    for (const {
      name,
      recording: { lines },
      play,
    } of all.filter(({ name }) => !looser.goesInCircles?.includes(name))) {
      const whole = play().answer
      lines.forEach((line, at) => {
        const cut = (ending: Partial<Ending>): TurnAnswer =>
          play({ lines: [...lines.slice(0, at), line.slice(0, -1)], ending: { stderr: '', ...ending } }).answer
        const isWord = looser.silenceIsNoFailure === undefined
        const ends = isWord ? [...badEnds, { code: 0, signal: null }] : whole.failure === null ? badEnds : [{}]
        for (const end of ends) expect(cut(end).failure, `${name} before the end of line ${at + 1}`).not.toBeNull()
        expect([null, whole.value, ...lines.slice(0, at).map(parseObject)]).toContainEqual(
          cut({ code: 0, signal: null }).value,
        )
      })
    }
  })

  test('its last event decides, and not how it exits', () => {
    for (const { name, play, expected } of all) {
      const { events, answer } = play()
      if (events.some(({ type }) => type === 'error')) {
        for (const code of [0, 1]) expect(play({ ending: { code, signal: null } }).answer.failure, name).not.toBeNull()
      } else if (expected.failure === undefined) {
        for (const ending of badEnds) {
          const { failure } = play({ ending }).answer
          if (looser.exitDecides === undefined) expect(failure, name).toBeNull()
          else expect(failure?.kind, name).toBe('crash')
        }
        expect(play({ ending: { code: 0, signal: null } }).answer, name).toEqual(answer)
      }
    }
  })

  test('it is the same in pieces of any size', () => {
    const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 3_000 }))
    fc.assert(
      fc.property(fc.constantFrom(...all), sizes, ({ recording, play, parser }, sizes) => {
        const pieces = parser()
        const events: AgentEvent[] = []
        const splitter = createLineSplitter(
          1e7,
          (line) => events.push(...pieces.push(line)),
          (bytes) => pieces.skip(bytes),
        )
        const bytes = Buffer.from(recording.lines.map((line) => `${line}\n`).join(''))
        for (let at = 0; at < bytes.length;) {
          const size = sizes.next().value
          splitter.push(bytes.subarray(at, at + size))
          at += size
        }
        splitter.end()
        const whole = play()
        expect(events).toEqual(whole.events)
        expect(pieces.end(recording.ending)).toEqual(whole.answer)
      }),
      { numRuns: 60 },
    )
  })

  test('nothing that a stream can hold makes it throw', () => {
    const disturbed = fc
      .constantFrom(...all)
      .chain(({ recording, parser }) =>
        fc.record({
          parser: fc.constant(parser),
          lines: fc.array(fc.oneof(fc.constantFrom(...recording.lines, '').chain(damaged), fc.json(), fc.string()), {
            maxLength: 12,
          }),
          ending: fc.record({
            code: fc.option(fc.nat(255)),
            signal: fc.constantFrom(null, 'SIGKILL', 'SIGTERM'),
            stderr: fc.string(),
            file: fc.option(fc.oneof(fc.string(), fc.json())),
            extra: fc.option(fc.oneof(fc.string(), fc.json())),
          }),
        }),
      )
    fc.assert(
      fc.property(disturbed, ({ parser, lines, ending }) => {
        const reader = parser()
        for (const line of lines) expect(reader.push(line).length).toBeGreaterThan(0)
        reader.skip(1e7)
        sound(reader.end(ending))
      }),
      { numRuns: tries(300) },
    )
  })

  test('nothing in its stream, nor in what it gathers, is of a type that has to be', () => {
    const seen = new Set<string>()
    for (const {
      recording: { lines },
      play,
    } of all) {
      lines.forEach((line, at) => {
        const value = parseObject(line)
        if (value === null || seen.has(shapeOf(value))) return
        seen.add(shapeOf(value))
        for (const twist of twists(value)) {
          const ending = { code: 1, signal: null, file: twist, stderr: twist, extra: twist }
          sound(play({ lines: lines.with(at, twist), ending }).answer, twist)
        }
      })
    }
    for (const twist of extras.flatMap(twists)) sound(all[0]!.play({ ending: { code: 1, extra: twist } }).answer, twist)
    expect(seen.size).toBeGreaterThan(3)
  })

  test('no depth and no length is too much', () => {
    const {
      recording: { lines },
      play,
      parser,
    } = all.find(({ recording }) => recording.lines.length > 1)!
    const last = parseObject(lines.at(-1) ?? '') ?? {}
    for (const text of endless) {
      const twisted = [text, ...Object.keys(last).map((key) => replaced(last, [key], text))]
      for (const line of twisted)
        sound(play({ lines: [...lines.slice(0, -1), line], ending: { file: line, extra: line } }).answer)
    }
    const skipping = parser()
    for (const line of lines) {
      skipping.push(line)
      skipping.skip(10 * 1024 * 1024)
    }
    sound(skipping.end({ code: 0, signal: null, file: null, stderr: '', extra: null }))
  })
}

/** Sizes of messages and times are of no interest. */
const telling: readonly AgentEvent['type'][] = ['message', 'tool_use', 'command', 'quota']
