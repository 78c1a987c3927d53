/** Reads a stream of server-sent events back, as a client would. */
import type { Wire } from '../../src/model-server/wire.ts'

export interface ServerSentEvent {
  event: string | null
  data: Record<string, unknown>
}

export function eventsIn({ chunks }: Pick<Wire, 'chunks'>): ServerSentEvent[] {
  return chunks
    .join('')
    .split('\n\n')
    .filter((block) => block !== '' && block !== 'data: [DONE]')
    .map((block) => {
      const field = (name: string): string | null =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? null
      return { event: field('event'), data: JSON.parse(field('data') ?? '{}') as Record<string, unknown> }
    })
}
