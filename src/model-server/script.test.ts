import { describe, expect, test } from 'vitest'
import type { ModelRequest } from './model-request.ts'
import { createChooser, type Match, type ScriptSource } from './script.ts'

const message = { role: 'user', text: '', toolCalls: [], toolResults: [] } as const
const request = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  provider: 'openai-chat',
  model: 'm',
  system: 'You are a coder',
  schema: null,
  stream: true,
  tools: [{ name: 'write', kind: 'function', namespace: null, schema: {} }],
  messages: [
    { ...message, toolCalls: [], toolResults: [], text: 'Build T001' },
    { ...message, role: 'assistant', text: 'Sure', toolCalls: [], toolResults: [] },
    { ...message, toolCalls: [], toolResults: [{ id: 'c1', text: 'written' }] },
  ],
  ...changes,
})

async function texts(source: ScriptSource, requests: ModelRequest[]): Promise<unknown[]> {
  const chooser = createChooser(source)
  const chosen: unknown[] = []
  for (const asked of requests) {
    const { step, by } = await chooser.choose(asked)
    chosen.push(by === 'script' && 'text' in step ? step.text : by)
  }
  return chosen
}

test('steps are used up one by one', async () => {
  expect(await texts([{ text: '1' }, { text: '2' }], [request(), request(), request()])).toEqual([
    '1',
    '2',
    'unscripted',
  ])
  const patient = { steps: [{ text: '1' }], otherwise: { text: 'last' } }
  expect(await texts(patient, [request(), request(), request()])).toEqual(['1', 'last', 'last'])
})

test('rules come before steps, in their order, until they are spent', async () => {
  const source: ScriptSource = {
    rules: [
      { when: { model: 'cheap' }, steps: [{ text: 'once' }] },
      { when: { model: /^ch/ }, always: { text: 'always' } },
    ],
    steps: [{ text: 'step' }],
  }
  const cheap = request({ model: 'cheap' })
  expect(await texts(source, [cheap, request(), cheap, cheap])).toEqual(['once', 'step', 'always', 'always'])
})

test('a step may be made of the request', async () => {
  expect(await texts([async ({ model }) => ({ text: `I am ${model}` })], [request()])).toEqual(['I am m'])
})

describe('title requests', () => {
  const title = request({ system: 'You are a title generator.', tools: [] })

  test('are answered aside', async () =>
    expect(await texts([{ text: '1' }], [title, request()])).toEqual(['aside', '1']))

  test('unless a rule is for them', async () => {
    expect(await texts({ rules: [{ when: { system: 'title' }, always: { text: 'mine' } }] }, [title])).toEqual(['mine'])
  })

  test('may ask for an object', async () => {
    const asked = { ...title, schema: { properties: { title: { type: 'string' } } } }
    expect(await createChooser([]).choose(asked)).toMatchObject({ by: 'aside', step: { result: { title: 'A title' } } })
    const other = { ...title, schema: { properties: { title: {}, summary: {} } } }
    expect(await createChooser([]).choose(other)).toMatchObject({ by: 'unscripted' })
  })

  test('have no tools', async () =>
    expect(await texts([{ text: '1' }], [{ ...title, tools: request().tools }])).toEqual(['1']))
})

describe('a rule holds when all of its parts do', () => {
  const cases: [Match | ((request: ModelRequest) => boolean), boolean][] = [
    [{}, true],
    [{ system: 'coder' }, true],
    [{ system: 'planner' }, false],
    [{ last: 'written' }, true],
    [{ last: 'T001' }, false],
    [{ anywhere: 'T001' }, true],
    [{ anywhere: /coder[\s\S]*written/ }, true],
    [{ anywhere: 'T002' }, false],
    [{ tool: 'write' }, true],
    [{ tool: 'read' }, false],
    [{ structured: false }, true],
    [{ structured: true }, false],
    [{ system: 'coder', tool: 'read' }, false],
    [({ stream }) => stream, true],
  ]
  test.each(cases)('%o: %s', async (when, expected) => {
    const source = { rules: [{ when, always: { text: 'yes' } }], otherwise: { text: 'no' } }
    expect(await texts(source, [request()])).toEqual([expected ? 'yes' : 'no'])
  })
})
