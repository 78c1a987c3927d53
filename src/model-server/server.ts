/** A model server on the loopback interface that answers from scripts, for testing coding agents without a model. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../platform/clock.ts'
import { parsed } from './json.ts'
import type { ModelRequest } from './model-request.ts'
import { providers, wireOf } from './play.ts'
import { routeOf, type Endpoint } from './route.ts'
import { createScriptedModel, type Exchange, type ScriptedModel, type ScriptState } from './scripted-model.ts'
import type { ScriptSource } from './script.ts'
import { transmit, type Fate } from './transmit.ts'
import { jsonWire, type Wire } from './wire.ts'

export interface ModelServer {
  url: string
  /** Answers everything under `/s/<name>/` from now on; each name has its own script and log. */
  script(name: string, source: ScriptSource): ScriptedModel
  /** Closes every open connection. */
  close(): Promise<void>
}

const whole: Fate = { kind: 'whole' }
/** The response when a function of a script throws. */
const failed = (error: unknown): Wire => jsonWire({ error: { message: `The script failed: ${String(error)}` } }, 500)
const noScript = jsonWire({ error: { message: 'There is no such script.' } }, 404)
const modelList = jsonWire({ object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [], has_more: false })

/** Listens on a free port of 127.0.0.1. */
export async function createModelServer(): Promise<ModelServer> {
  const scripts = new Map<string, ScriptState>()
  const server = createServer((request, response) => {
    serve(scripts, request, response).catch((error: unknown) => transmit(response, failed(error), whole))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    script(name, source) {
      const state = createScriptedModel(name, `${url}/s/${encodeURIComponent(name)}`, source)
      scripts.set(name, state)
      return state.model
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  scripts: ReadonlyMap<string, ScriptState>,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = parsed(await textOf(incoming))
  const route = routeOf(incoming.url ?? '')
  const state = route === null ? undefined : scripts.get(route.script)
  if (route === null || state === undefined) return transmit(response, noScript, whole)
  const exchange: Exchange = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    request: requestOf(route.endpoint, body),
    by: null,
  }
  state.record(exchange)
  if (exchange.request === null) return transmit(response, asideOf(route.endpoint, body), whole)
  const { wire, fate } = await play(state, exchange, exchange.request)
  return transmit(response, wire, fate)
}

async function play(
  state: ScriptState,
  exchange: Exchange,
  request: ModelRequest,
): Promise<{ wire: Wire; fate: Fate }> {
  const { step, by } = await state.choose(request)
  exchange.by = by
  await step.gate
  return wireOf(step, request, { id: state.nextId(), now: systemClock.now() })
}

const requestOf = (endpoint: Endpoint, body: unknown): ModelRequest | null =>
  endpoint.kind === 'answer' ? providers[endpoint.provider].decode(body, endpoint) : null

/** Requests other than for an answer: token counts, the list of models. */
function asideOf(endpoint: Endpoint, body: unknown): Wire {
  if (endpoint.kind === 'models') return modelList
  if (endpoint.kind !== 'count') return jsonWire({})
  const tokens = Math.ceil(JSON.stringify(body ?? '').length / 4)
  return jsonWire(endpoint.provider === 'gemini' ? { totalTokens: tokens } : { input_tokens: tokens })
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
