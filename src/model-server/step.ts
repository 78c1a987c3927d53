/** How the server answers one request, independent of the provider. Plain data, except for the gate. */
import type { ToolCall } from './model-request.ts'

export interface TokenCounts {
  /** Tokens that are neither read from nor written to the cache. */
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  /** The part of `output` that is reasoning. */
  reasoning: number
}

/** Where the connection is cut or hangs: halfway through the answer, or before the first byte. */
export type Point = true | 'silent'

export interface Answer {
  text?: string
  toolCalls?: readonly ToolCall[]
  /** The structured answer, in the form that the request asks for. */
  result?: unknown
  usage?: Partial<TokenCounts>
  drop?: Point
  hang?: Point
}

export interface Refusal {
  /** An HTTP status: 401, 403, 429, 500, 503, 529 … The body is the provider's own. */
  status: number
  message?: string
  /** Seconds. */
  retryAfter?: number
  /** ISO time; turns a 429 from a short rate limit into an exhausted quota. */
  resetsAt?: string
  /** The answer starts with status 200, then the error follows as an event of the stream. */
  inStream?: boolean
  /** Replaces the provider's usual body. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** The prompt is too long; the error is the provider's own. */
export interface Overflow {
  overflow: true
}

/** An invalid body; `true` for the usual one. */
export interface Garbage {
  garbage: true | string
}

/** With a gate, the answer starts when the test opens it. */
export type Step = (Answer | Refusal | Overflow | Garbage) & { gate?: Promise<unknown> }

export interface Gate {
  opened: Promise<void>
  open(): void
}

export function createGate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const usual: TokenCounts = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, reasoning: 0 }

export const tokensOf = ({ usage = {} }: Answer): TokenCounts => ({ ...usual, ...usage })
