/**
 * The part of the Model Context Protocol that a server with a few tools needs. Up to 2025 a client sends `initialize`
 * first; since 2026 every request states its version.
 */
import { codes, errorLine, resultLine, toMessage, type Id, type RpcError } from '../json-rpc/message.ts'
import { version } from '../../platform/version.ts'
import { isObject } from '../../model/object.ts'

export interface ToolAnswer {
  text: string
  /** Tells the model that the call failed, so that it reads the problem and retries. */
  isError: boolean
}

export interface Tool {
  name: string
  description: string
  inputSchema: object
  /** May reject; the reason is sent to the model. */
  call(input: unknown): Promise<ToolAnswer>
}

/** Takes one line; resolves with the response line, or null when none is expected. Never rejects. */
export type Answerer = (line: string) => Promise<string | null>

const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const statelessVersion = '2026-07-28'
const versionKey = 'io.modelcontextprotocol/protocolVersion'
const unsupportedVersion = -32022

const name = 'looper'
const info = { name, title: 'Looper', version }
const capabilities = { tools: {} }
const cached = { ttlMs: 3_600_000, cacheScope: 'private' }
const mostInBatch = 100

type Outcome = { result: object } | { error: RpcError }

export function createToolServer(tools: readonly Tool[]): Answerer {
  const list = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const call = async ({ name, arguments: input = {} }: Record<string, unknown>): Promise<Outcome> => {
    const tool = tools.find((each) => each.name === name)
    if (tool === undefined) return failure(codes.params, `There is no tool ${JSON.stringify(name)}.`)
    const { text, isError } = await tool.call(input).catch((error: unknown) => ({ text: String(error), isError: true }))
    return { result: { content: [{ type: 'text', text }], isError } }
  }
  const perform = async (method: string, params: Record<string, unknown>): Promise<Outcome> => {
    switch (method) {
      case 'initialize':
        return { result: { protocolVersion: agreeOn(params.protocolVersion), capabilities, serverInfo: info } }
      case 'server/discover':
        return { result: { supportedVersions: [statelessVersion], capabilities, ...cached } }
      case 'ping':
        return { result: {} }
      case 'tools/list':
        return { result: { tools: list, ...cached } }
      case 'tools/call':
        return call(params)
      default:
        return failure(codes.method, `There is no method ${JSON.stringify(method)}.`)
    }
  }
  const answer = async (value: unknown): Promise<string | null> => {
    const message = toMessage(value)
    switch (message.kind) {
      case 'request':
        return lineOf(message.id, await inItsEra(message.params, (params) => perform(message.method, params)))
      case 'invalid':
        return errorLine(message.id, { code: codes.invalid, message: 'This is not a JSON-RPC 2.0 message.' })
      case 'notification':
      case 'result':
      case 'error':
        return null
    }
  }
  return async (line) => {
    const value = parse(line)
    if (value === undefined) return errorLine(null, { code: codes.parse, message: 'This is not JSON.' })
    if (!Array.isArray(value)) return answer(value)
    if (value.length === 0 || value.length > mostInBatch) return answer(null)
    const answers: (string | null)[] = []
    for (const each of value) answers.push(await answer(each))
    const lines = answers.filter((each) => each !== null)
    return lines.length === 0 ? null : `[${lines.join(',')}]`
  }
}

/** The client's version when it is known, else the newest version that has a handshake. */
const agreeOn = (version: unknown): unknown =>
  handshakeVersions.find((known) => known === version) ?? handshakeVersions[0]

/** Adds the fields that a request without a handshake expects around its result. */
async function inItsEra(
  params: Record<string, unknown>,
  perform: (params: Record<string, unknown>) => Promise<Outcome>,
): Promise<Outcome> {
  const version = isObject(params._meta) ? params._meta[versionKey] : undefined
  if (version === undefined) return perform(params)
  if (version !== statelessVersion) {
    const data = { supported: [statelessVersion, ...handshakeVersions], requested: version }
    return { error: { code: unsupportedVersion, message: 'Unsupported protocol version', data } }
  }
  const outcome = await perform(params)
  return 'error' in outcome
    ? outcome
    : { result: { ...outcome.result, resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': info } } }
}

const failure = (code: number, message: string): Outcome => ({ error: { code, message } })

const lineOf = (id: Id, outcome: Outcome): string =>
  'error' in outcome ? errorLine(id, outcome.error) : resultLine(id, outcome.result)

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
