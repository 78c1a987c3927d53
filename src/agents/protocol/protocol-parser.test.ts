import { describe, expect, test } from 'vitest'
import type { Ending, TurnAnswer } from '../adapter.ts'
import { createProtocolParser } from './protocol-parser.ts'

const well: Ending = { code: 0, signal: null, file: null, stderr: '', extra: null }

function read(lines: readonly string[], ending: Partial<Ending> = {}): TurnAnswer {
  const parser = createProtocolParser()
  for (const line of lines) parser.push(line)
  return parser.end({ ...well, ...ending })
}

describe('the answer is', () => {
  test.each<[string, string[], Partial<Ending>, unknown]>([
    ['the result file', ['{"from":"stdout"}'], { file: '{"from":"file"}' }, { from: 'file' }],
    ['the result file with a byte order mark', [], { file: '\uFEFF{"from":"file"}' }, { from: 'file' }],
    ['the JSON inside a wordy result file', [], { file: 'Sure:\n```json\n{"from":"file"}\n```\n' }, { from: 'file' }],
    ['stdout when the file is empty', ['{"from":"stdout"}'], { file: '' }, { from: 'stdout' }],
    ['stdout when the file is garbage', ['{"from":"stdout"}'], { file: '\u0000\u0001{' }, { from: 'stdout' }],
    ['stdout when the file is no object', ['{"from":"stdout"}'], { file: '[1]' }, { from: 'stdout' }],
    ['the last object on stdout', ['{"n":1}', 'words', '{"n":2}', 'more words'], {}, { n: 2 }],
    ['pretty-printed over lines', ['{', '  "n": 3', '}'], {}, { n: 3 }],
    [
      'not an event',
      ['{"n":1}', '{"type":"usage","inputTokens":5}', '{"type":"message","text":"{\\"n\\":9}"}'],
      {},
      { n: 1 },
    ],
    ['not a line of a type we do not know, when there is another', ['{"n":1}', '{"type":"done"}'], {}, { n: 1 }],
    [
      'a line of a type we do not know, when there is no other',
      ['{"type":"feature","n":1}'],
      {},
      { type: 'feature', n: 1 },
    ],
    ['nothing', ['hello', '[{"n":1}]', '42'], {}, null],
  ])('%s', (_, lines, ending, value) => {
    expect(read(lines, ending).value).toEqual(value)
  })
})

describe('without a valid answer the turn is', () => {
  const error = '{"type":"error","kind":"rate_limited","message":"slow down","resetsAt":"2030-01-01T00:00:00+01:00"}'
  test.each<[string, string[], Partial<Ending>, unknown]>([
    ['merely invalid after exit 0', ['hm'], {}, null],
    [
      'a crash after exit 1',
      [],
      { code: 1, stderr: 'boom' },
      { kind: 'crash', message: 'the agent exited with code 1: boom', resetsAt: null },
    ],
    [
      'a crash after a signal',
      [],
      { code: null, signal: 'SIGSEGV' },
      { kind: 'crash', message: 'the agent was ended by SIGSEGV', resetsAt: null },
    ],
    [
      'a crash when the exit was not seen',
      [],
      { code: null },
      { kind: 'crash', message: 'the agent ended without an answer', resetsAt: null },
    ],
    ['not judged by an unseen exit when it answered', ['{"n":1}'], { code: null }, null],
    [
      'what its error event names',
      [error],
      { code: 1 },
      { kind: 'rate_limited', message: 'slow down', resetsAt: '2029-12-31T23:00:00.000Z' },
    ],
    [
      'what its last error event names, even after exit 0',
      [error, '{"type":"error","kind":"auth"}'],
      {},
      { kind: 'auth', message: '', resetsAt: null },
    ],
    [
      'unknown, when the kind is',
      ['{"type":"error","kind":"oops","message":42,"resetsAt":"soon"}'],
      { code: 2 },
      { kind: 'unknown', message: '42', resetsAt: null },
    ],
  ])('%s', (_, lines, ending, failure) => {
    expect(read(lines, ending).failure).toEqual(failure)
  })
})

test('usage adds up; what is no amount is ignored and what is absurd is bounded', () => {
  const usage = (text: string): string => `{"type":"usage",${text}}`
  expect(
    read([
      usage('"inputTokens":10,"outputTokens":1,"costUsd":0.5'),
      usage('"inputTokens":5'),
      usage('"inputTokens":-100,"outputTokens":"7","costUsd":null'),
      usage('"costUsd":-1'),
      usage('"costUsd":1e999'),
    ]).usage,
  ).toEqual({ inputTokens: 15, outputTokens: 1, costUsd: 0.5 })
  expect(
    read(Array.from({ length: 3 }, () => usage('"inputTokens":1e300,"outputTokens":1e12,"costUsd":1e99'))).usage,
  ).toEqual({ inputTokens: 1e12, outputTokens: 1e12, costUsd: 1e6 })
})

test('events come out as they are read', () => {
  const parser = createProtocolParser()
  const lines = [
    '{"type":"session","id":"s1"}',
    '{"text":"hi","type":"message"}',
    '  {"type":"tool_use","name":"edit","input":{"a":[1]}}  ',
    '{"type":"command","command":"npm test","exitCode":1}',
    'not json',
    '{"type":"mystery"}',
  ]
  expect(lines.flatMap((line) => parser.push(line))).toEqual([
    { type: 'session', id: 's1' },
    { type: 'message', text: 'hi' },
    { type: 'tool_use', name: 'edit', input: { a: [1] } },
    { type: 'command', command: 'npm test', exitCode: 1 },
    { type: 'raw', text: 'not json' },
    { type: 'raw', text: '{"type":"mystery"}' },
  ])
  expect(parser.end(well).sessionId).toBe('s1')
})

test('the end of the output is kept, whatever its length', () => {
  const parser = createProtocolParser()
  parser.skip(99_000_000)
  for (let i = 0; i < 10_000; i++) parser.push(`line ${i}`)
  const { text, problem } = parser.end(well)
  expect(text).toMatch(/line 9999\n$/)
  expect(text.length).toBeLessThanOrEqual(2_000)
  expect(problem).toBe('no JSON object was given as the answer')
})

test('an object with a line skipped in its middle is no answer', () => {
  const parser = createProtocolParser()
  parser.push('{"a":1,')
  parser.skip(20_000_000)
  parser.push('"b":2}')
  expect(parser.end(well).value).toBeNull()
})

test('malformed JSON is named', () => {
  expect(read(['{"status": "complete", summary: 1}']).problem).toContain(
    'malformed JSON near: {"status": "complete", summary',
  )
})
