/** An answer as chunks on the wire, so that it can be cut between any two. */

export interface Wire {
  status: number
  headers: Record<string, string>
  chunks: string[]
}

/** What encoders need besides the step: a unique id, and the time for delays. */
export interface WireContext {
  id: string
  /** Milliseconds since the epoch. */
  now: number
}

export const jsonWire = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Wire => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  chunks: [JSON.stringify(body)],
})

export const eventsWire = (chunks: string[]): Wire => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  chunks,
})

export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

/** An event whose name is the type of its data. */
export const namedEvent = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\n${dataEvent(data)}`

/** Splits into at most two chunks, enough for a cut in the middle of a sentence. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}

/** The chunks to send of an answer that is cut halfway. */
export const firstHalf = (chunks: readonly string[]): string[] =>
  chunks.length === 1 ? halves(chunks[0] ?? '').slice(0, 1) : chunks.slice(0, Math.ceil(chunks.length / 2))
