/** What the server does with one request, in words that know no provider. Plain data, but for the gate. */
import type { ToolCall } from './model-request.ts'

export interface TokenCounts {
  /** Not from the cache and not put into it. */
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  /** The part of `output` that was thought and not said. */
  reasoning: number
}

/** At which point of an answer the connection is cut or falls silent: halfway through, or before the first byte. */
export type Point = true | 'silent'

export interface Answer {
  text?: string
  toolCalls?: readonly ToolCall[]
  /** The structured answer, given in the way in which the request asks for it. */
  result?: unknown
  usage?: Partial<TokenCounts>
  drop?: Point
  hang?: Point
}

export interface Refusal {
  /** An HTTP status: 401, 403, 429, 500, 503, 529 … in the provider's own words. */
  status: number
  message?: string
  /** Seconds. */
  retryAfter?: number
  /** ISO time; makes a 429 the end of a quota instead of a moment's rush. */
  resetsAt?: string
  /** The answer begins well (status 200), then the error comes as an event of its stream. */
  inStream?: boolean
  /** Instead of the provider's usual body. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** The prompt does not fit, in the provider's own words. */
export interface Overflow {
  overflow: true
}

/** A body that is nothing of what was asked for; `true` for the usual one. */
export interface Garbage {
  garbage: true | string
}

/** With a gate, the answer begins when the test opens it. */
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
