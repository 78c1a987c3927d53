/** Parses JSON-RPC 2.0 messages, one per line, as MCP and ACP use them. Any input results in one of these kinds. */
import { isObject } from '../../model/object.ts'

export type Id = string | number

export interface RpcError {
  code: number
  message: string
  data?: unknown
}

export type Message =
  | { kind: 'request'; id: Id; method: string; params: Record<string, unknown> }
  | { kind: 'notification'; method: string; params: Record<string, unknown> }
  | { kind: 'result'; id: Id; result: unknown }
  | { kind: 'error'; id: Id; error: RpcError }
  /** Not a valid message; with an id, the sender may still wait for an answer. */
  | { kind: 'invalid'; id: Id | null }

export const codes = { parse: -32700, invalid: -32600, method: -32601, params: -32602, internal: -32603 } as const

export function toMessage(value: unknown): Message {
  if (!isObject(value)) return { kind: 'invalid', id: null }
  const { id, method, params } = value
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  if (value.jsonrpc !== '2.0') return { kind: 'invalid', id: known }
  if (typeof method === 'string') {
    const given = isObject(params) ? params : {}
    if (id === undefined) return { kind: 'notification', method, params: given }
    return known === null ? { kind: 'invalid', id: null } : { kind: 'request', id: known, method, params: given }
  }
  if (known === null) return { kind: 'invalid', id: null }
  if (isObject(value.error)) return { kind: 'error', id: known, error: toError(value.error) }
  return 'result' in value ? { kind: 'result', id: known, result: value.result } : { kind: 'invalid', id: known }
}

const toError = ({ code, message, data }: Record<string, unknown>): RpcError => ({
  code: typeof code === 'number' ? code : 0,
  message: typeof message === 'string' ? message : '',
  data,
})

export const resultLine = (id: Id, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result })

export const errorLine = (id: Id | null, error: RpcError): string => JSON.stringify({ jsonrpc: '2.0', id, error })
