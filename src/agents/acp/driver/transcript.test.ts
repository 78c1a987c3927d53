import { describe, expect, test } from 'vitest'
import { createTranscript } from './transcript.ts'
import { createMeter } from './usage.ts'

function tell(updates: readonly unknown[], spentUsd = 0) {
  const events: Record<string, unknown>[] = []
  const transcript = createTranscript((event) => events.push(event as Record<string, unknown>), createMeter(spentUsd))
  for (const update of updates) transcript.take(update)
  const { words, object } = transcript.end()
  return { events, words, object }
}

const says = (text: string, messageId?: string): object => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  messageId,
})
const uses = (more: object = {}): object => ({
  sessionUpdate: 'tool_call',
  toolCallId: 't-1',
  title: 'a title',
  ...more,
})
const goesOn = (more: object): object => ({ sessionUpdate: 'tool_call_update', toolCallId: 't-1', ...more })
const costs = (amount: unknown, currency = 'USD'): object => ({
  sessionUpdate: 'usage_update',
  used: 1,
  size: 2,
  cost: { amount, currency },
})

describe('a tool call is reported once, with its input', () => {
  const input = { path: 'a.txt' }
  const known = { name: 'a title', input }
  test.each<[string, object[], object[]]>([
    ['at once', [uses({ rawInput: input })], [known]],
    [
      'by its own name',
      [uses({ name: 'Write', rawInput: input }), goesOn({ title: 'another' })],
      [{ name: 'Write', input }],
    ],
    [
      'when that is known',
      [uses({ rawInput: {} }), goesOn({ rawInput: input }), goesOn({ status: 'completed' })],
      [known],
    ],
    [
      'when all of it is',
      [uses({ status: 'pending', rawInput: { a: 1 } }), goesOn({ status: 'in_progress', rawInput: input })],
      [known],
    ],
    [
      'at its end, when it never is',
      [uses(), goesOn({ status: 'failed' }), says('x')],
      [{ name: 'a title', input: {} }],
    ],
    ['at the end of the turn at the latest', [uses({ status: 'in_progress' })], [{ name: 'a title', input: {} }]],
    ['without a name', [{ sessionUpdate: 'tool_call' }], [{ name: 'tool', input: {} }]],
    ['for each', [uses({ rawInput: input }), uses({ toolCallId: 't-2', rawInput: input })], [known, known]],
  ])('%s', (_, updates, expected) => {
    expect(tell(updates).events.filter(({ type }) => type === 'tool_use')).toEqual(
      expected.map((each) => ({ type: 'tool_use', ...each })),
    )
  })

  test('also when all that comes is a question for permission', () => {
    const events: object[] = []
    const transcript = createTranscript((event) => events.push(event), createMeter(0))
    transcript.take(uses({ kind: 'edit' }))
    expect(transcript.ask({ toolCallId: 't-1', title: 'x' })).toBe('edit')
    expect(transcript.ask({ toolCallId: 't-2', title: 'Run', kind: 'execute' })).toBe('execute')
    expect(transcript.ask('nonsense')).toBeUndefined()
    transcript.end()
    expect(events.map((event) => 'name' in event && event.name)).toEqual(['a title', 'Run', 'tool'])
  })
})

describe('messages', () => {
  test('come whole: pieces go together until a tool is used or another begins', () => {
    const { events } = tell([
      says('Now '),
      says('this.'),
      uses({ rawInput: { a: 1 } }),
      says('Next.', 'm-1'),
      says('Last.', 'm-2'),
    ])
    expect(events.map((event) => event.text ?? event.type)).toEqual(['Now this.', 'tool_use', 'Next.', 'Last.'])
  })

  test('an endless one comes in parts', () => {
    expect(tell(Array.from({ length: 30 }, () => says('x'.repeat(100_000)))).events.length).toBeGreaterThan(1)
  })

  test.each<[string, object[], string]>([
    ['are the last message', [says('a', '1'), says('b', '2')], 'b'],
    ['are none when a tool was used last', [says('a'), uses()], ''],
    ['are not blank', [says('a', '1'), says(' \n', '2')], 'a'],
  ])('last words %s', (_, updates, words) => {
    expect(tell(updates).words).toBe(words)
  })

  test.each<[string, object[], unknown]>([
    ['the last of all', [says('{"n":1}', '1'), says('words {"n":2} words', '2'), says('done', '3')], { n: 2 }],
    ['pretty-printed in a fence, in pieces', [says('```json\n{\n "n"'), says(': 3\n}\n```')], { n: 3 }],
    ['not one that never ends, nor what comes after it', [says('{"n":1', '1'), says('}', '2')], null],
  ])('the JSON in them is %s', (_, updates, object) => {
    expect(tell(updates).object).toEqual(object)
  })
})

test.each<[string, number, object[], number[]]>([
  ['of a fresh session', 0, [costs(0.25), costs(0.75)], [0.25, 0.5]],
  ['of one that goes on: only what was added', 0.5, [costs(0.75)], [0.25]],
  ['of one that is counted anew', 0.5, [costs(0.125), costs(0.25)], [0.125, 0.125]],
  [
    'in other currencies, or nonsense',
    0,
    [costs(5, 'EUR'), costs(-1), costs('1'), { sessionUpdate: 'usage_update' }],
    [],
  ],
])('costs %s', (_, spent, updates, expected) => {
  expect(tell(updates, spent).events).toEqual(expected.map((costUsd) => ({ type: 'usage', costUsd })))
})

test('unknown updates are ignored', () => {
  const odd = [
    null,
    7,
    'x',
    [],
    {},
    { sessionUpdate: 'plan' },
    { sessionUpdate: 7 },
    { sessionUpdate: 'agent_message_chunk' },
    says(''),
  ]
  const thought = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } }
  expect(tell([...odd, thought])).toEqual({ events: [], words: '', object: null })
})
