import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createModelServer, type ModelServer } from './server.ts'
import type { ScriptSource } from './script.ts'
import type { ScriptedModel } from './scripted-model.ts'
import { createGate } from './step.ts'

let server: ModelServer
let names = 0
beforeAll(async () => {
  server = await createModelServer()
})
afterAll(() => server.close())

const script = (source: ScriptSource): ScriptedModel => server.script(`script ${++names}`, source)

const providers = [
  ['anthropic', ({ baseUrls }: ScriptedModel) => `${baseUrls.anthropic}/v1/messages`, { stream: true, messages: [] }],
  ['openai-responses', ({ baseUrls }: ScriptedModel) => `${baseUrls.openai}/responses`, { stream: true, input: 'Hi' }],
  [
    'openai-chat',
    ({ baseUrls }: ScriptedModel) => `${baseUrls.openai}/chat/completions`,
    { stream: true, messages: [] },
  ],
  [
    'gemini',
    ({ baseUrls }: ScriptedModel) => `${baseUrls.gemini}/v1beta/models/m:streamGenerateContent?alt=sse`,
    { contents: [] },
  ],
] as const

const post = (url: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    signal: signal ?? null,
  })

const jsonOf = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>

/** Reads as much of a body as arrives; it may be cut. */
async function arriving(response: Response): Promise<{ text: string; cut: boolean }> {
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString()
    return { text, cut: false }
  } catch {
    return { text, cut: true }
  }
}

describe.each(providers)('%s', (provider, urlOf, body) => {
  const ask = (model: ScriptedModel, signal?: AbortSignal): Promise<Response> => post(urlOf(model), body, signal)

  test('streams an answer and logs the request', async () => {
    const model = script([{ text: 'Hello' }])
    const response = await ask(model)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await arriving(response)).toEqual({ text: expect.stringContaining('Hel'), cut: false })
    expect(model.requests()).toMatchObject([{ provider, stream: true }])
  })

  test.each([401, 403, 429, 500, 503, 529])('refuses with %i', async (status) => {
    const response = await ask(script([{ status, retryAfter: 7, resetsAt: '2030-01-01T00:00:00Z' }]))
    expect([response.status, (await jsonOf(response))['error']]).toEqual([status, expect.anything()])
  })

  test('refuses with any body', async () => {
    const response = await ask(script([{ status: 402, body: { pay: 'up' }, headers: { 'x-mine': 'yes' } }]))
    expect([response.status, await response.json(), response.headers.get('x-mine')]).toEqual([
      402,
      { pay: 'up' },
      'yes',
    ])
  })

  test('says that the prompt is too long', async () => {
    expect(await (await ask(script([{ overflow: true }]))).text()).toMatch(/too long|context|exceeds the maximum/)
  })

  test('cuts the connection midway', async () => {
    const { text, cut } = await arriving(await ask(script([{ text: 'Hello', drop: true }])))
    expect([text.length > 0, cut]).toEqual([true, true])
  })

  test('cuts the connection before the first byte', async () => {
    await expect(ask(script([{ drop: 'silent' }]))).rejects.toThrow('fetch failed')
  })

  test('falls silent midway until the client goes', async () => {
    const goes = new AbortController()
    const response = await ask(script([{ text: 'Hello', hang: true }]), goes.signal)
    const reader = response.body!.getReader()
    expect((await reader.read()).value?.length).toBeGreaterThan(0)
    goes.abort()
    await expect(reader.read()).rejects.toThrow('abort')
  })

  test('sends garbage', async () => {
    expect(await (await ask(script([{ garbage: true }]))).text()).toContain('<html>')
    expect(await (await ask(script([{ garbage: 'zzz' }]))).text()).toBe('zzz')
  })

  test('waits for a gate', async () => {
    const gate = createGate()
    const model = script([{ text: 'Hello', gate: gate.opened }, { text: 'there' }])
    let answered = false
    const response = ask(model).then((arrived) => {
      answered = true
      return arrived
    })
    await model.asked(1)
    // Another request is answered meanwhile.
    await (await ask(model)).text()
    expect(answered).toBe(false)
    gate.open()
    expect((await response).status).toBe(200)
  })
})

test('answers at once where no stream is asked for, and cuts that too', async () => {
  const model = script([{ text: 'Hello' }, { text: 'Hello', drop: true }])
  const url = `${model.baseUrls.anthropic}/v1/messages`
  expect(await (await post(url, { messages: [] })).json()).toMatchObject({ content: [{ text: 'Hello' }] })
  const { text, cut } = await arriving(await post(url, { messages: [] }))
  expect([text.startsWith('{"id"'), cut]).toEqual([true, true])
})

test('each prefix has a script and a log of its own', async () => {
  const [one, two] = [script([{ text: 'one' }]), script([{ text: 'two' }])]
  const said = await Promise.all(
    [one, two].map(async ({ baseUrls }) => jsonOf(await post(`${baseUrls.openai}/chat/completions`, { messages: [] }))),
  )
  expect(said).toMatchObject([
    { choices: [{ message: { content: 'one' } }] },
    { choices: [{ message: { content: 'two' } }] },
  ])
  expect([one, two].map(({ exchanges }) => exchanges.length)).toEqual([1, 1])
})

test('titles are in the log, but not among the requests', async () => {
  const model = script([{ text: 'done' }])
  const ask = (system: string): Promise<Response> =>
    post(`${model.baseUrls.openai}/chat/completions`, { messages: [{ role: 'system', content: system }] })
  await (await ask('You are a title generator.')).text()
  await (await ask('You are a coder.')).text()
  await (await ask('You are a coder.')).text()
  expect(model.exchanges.map(({ by }) => by)).toEqual(['aside', 'script', 'unscripted'])
  expect(model.requests()).toHaveLength(2)
  expect(model.unscripted()).toHaveLength(1)
})

test.each([
  ['/v1/messages/count_tokens', { input_tokens: 5 }],
  ['/v1beta/models/m:countTokens', { totalTokens: 5 }],
  ['/v1/models', { data: [{ id: 'scripted' }] }],
  ['/api/hello', {}],
])('answers %s', async (path, answer) => {
  const model = script([])
  expect(await (await post(`${model.baseUrls.anthropic}${path}`, { a: '0123456789ab' })).json()).toMatchObject(answer)
  expect(model.exchanges).toMatchObject([
    { path: expect.stringContaining(path), request: null, body: { a: '0123456789ab' } },
  ])
})

test('knows nothing outside of its scripts', async () => {
  expect((await post(`${server.url}/s/unknown/v1/messages`, {})).status).toBe(404)
  expect((await post(`${server.url}/v1/messages`, {})).status).toBe(404)
})

test('a script that throws is an answer of its own', async () => {
  const model = script([
    () => {
      throw new Error('oh')
    },
  ])
  const response = await post(`${model.baseUrls.anthropic}/v1/messages`, {})
  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('oh')])
})

test('is reachable from this machine only, and closes although a connection hangs', async () => {
  const own = await createModelServer()
  expect(own.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const model = own.script('a', [{ hang: 'silent' }])
  const hanging = post(`${model.baseUrls.anthropic}/v1/messages`, {}).catch(() => 'cut')
  await model.asked(1)
  await own.close()
  expect(await hanging).toBe('cut')
  await expect(post(`${model.baseUrls.anthropic}/v1/messages`, {})).rejects.toThrow('fetch failed')
})
