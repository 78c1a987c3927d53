/** One end of a JSON-RPC connection on which both sides may send requests. */
import { codes, errorLine, resultLine, toMessage, type Id, type RpcError } from '../../json-rpc/message.ts'

/** The other side answered a request with an error. */
export class Refusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: RpcError) {
    super(message)
    this.code = code
    this.data = data
  }
}

export interface PeerOptions {
  write(line: string): void
  /** Answers a request; undefined when there is no such method. */
  answer(method: string, params: Record<string, unknown>): object | undefined
  onNotification(method: string, params: Record<string, unknown>): void
  /** Receives a line that is not a message. */
  onUnreadable(line: string): void
}

export interface Peer {
  /** Processes one line from the other side. */
  take(line: string): void
  /** Rejects with a Refusal, or with the error that `close` was given. */
  ask(method: string, params: object): Promise<unknown>
  notify(method: string, params: object): void
  /** Rejects all pending and later requests. */
  close(why: Error): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(why: Error): void
}

export function createPeer({ write, answer, onNotification, onUnreadable }: PeerOptions): Peer {
  const waiting = new Map<Id, Waiting>()
  let next = 0
  let closed: Error | null = null

  const settled = (id: Id): Waiting | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }
  const reply = (id: Id, method: string, params: Record<string, unknown>): void => {
    const result = answer(method, params)
    write(
      result === undefined
        ? errorLine(id, { code: codes.method, message: `There is no ${method} here.` })
        : resultLine(id, result),
    )
  }
  return {
    take(line) {
      const message = parse(line)
      switch (message.kind) {
        case 'request':
          return reply(message.id, message.method, message.params)
        case 'notification':
          return onNotification(message.method, message.params)
        case 'result':
          return settled(message.id)?.resolve(message.result)
        case 'error':
          return settled(message.id)?.reject(new Refusal(message.error))
        case 'invalid':
          return onUnreadable(line)
      }
    },
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        if (closed !== null) return reject(closed)
        const id = next++
        waiting.set(id, { resolve, reject })
        write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      }),
    notify: (method, params) => write(JSON.stringify({ jsonrpc: '2.0', method, params })),
    close(why) {
      closed ??= why
      for (const id of waiting.keys()) settled(id)?.reject(why)
    },
  }
}

function parse(line: string): ReturnType<typeof toMessage> {
  try {
    return toMessage(JSON.parse(line))
  } catch {
    return { kind: 'invalid', id: null }
  }
}
