/** One end of a JSON-RPC conversation in which both sides may ask. */
import { codes, errorLine, resultLine, toMessage, type Id, type RpcError } from '../../json-rpc/message.ts'

/** The other side refused what it was asked. */
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
  /** Undefined when there is no such method. */
  answer(method: string, params: Record<string, unknown>): object | undefined
  hear(method: string, params: Record<string, unknown>): void
  /** A line that is no message. */
  puzzle(line: string): void
}

export interface Peer {
  /** Takes one line of the other side. */
  take(line: string): void
  /** Rejects with a Refusal, or with what `close` was given. */
  ask(method: string, params: object): Promise<unknown>
  tell(method: string, params: object): void
  /** Whoever waits for an answer, now or later, waits no longer. */
  close(why: Error): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(why: Error): void
}

export function createPeer({ write, answer, hear, puzzle }: PeerOptions): Peer {
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
          return hear(message.method, message.params)
        case 'result':
          return settled(message.id)?.resolve(message.result)
        case 'error':
          return settled(message.id)?.reject(new Refusal(message.error))
        case 'invalid':
          return puzzle(line)
      }
    },
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        if (closed !== null) return reject(closed)
        const id = next++
        waiting.set(id, { resolve, reject })
        write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      }),
    tell: (method, params) => write(JSON.stringify({ jsonrpc: '2.0', method, params })),
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
