/** One script of a server, with the log of its requests. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ModelRequest } from './model-request.ts'
import { createChooser, type Chosen, type ScriptSource } from './script.ts'

export interface Exchange {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: unknown
  /** Null when the exchange is not a request for an answer. */
  request: ModelRequest | null
  /** What chose the answer; null until it is chosen. */
  by: Chosen['by'] | null
}

export interface ScriptedModel {
  name: string
  /** The base URLs to configure in agents. */
  baseUrls: { anthropic: string; openai: string; gemini: string }
  /** All exchanges, in the order of arrival. */
  exchanges: readonly Exchange[]
  /** The requests to the model, without those for titles. */
  requests(): ModelRequest[]
  /** Requests that the script does not cover. */
  unscripted(): ModelRequest[]
  /** Resolves with the nth request, counted from one, as soon as it arrives. */
  asked(nth: number): Promise<ModelRequest>
}

/** The server's side of a scripted model. */
export interface ScriptState {
  model: ScriptedModel
  record(exchange: Exchange): void
  choose(request: ModelRequest): Promise<Chosen>
  nextId(): string
}

export function createScriptedModel(name: string, url: string, source: ScriptSource): ScriptState {
  const chooser = createChooser(source)
  const exchanges: Exchange[] = []
  const chosen: { request: ModelRequest; by: Chosen['by'] }[] = []
  const waiting = new Set<() => void>()
  let answers = 0
  const requests = (): ModelRequest[] => chosen.filter(({ by }) => by !== 'aside').map(({ request }) => request)
  const model: ScriptedModel = {
    name,
    exchanges,
    requests,
    baseUrls: { anthropic: url, openai: `${url}/v1`, gemini: url },
    unscripted: () => chosen.filter(({ by }) => by === 'unscripted').map(({ request }) => request),
    asked: (nth) =>
      new Promise((resolve) => {
        const resolveWhenAsked = (): void => {
          const request = requests()[nth - 1]
          if (request === undefined) return
          waiting.delete(resolveWhenAsked)
          resolve(request)
        }
        waiting.add(resolveWhenAsked)
        resolveWhenAsked()
      }),
  }
  return {
    model,
    record: (exchange) => void exchanges.push(exchange),
    async choose(request) {
      const choice = await chooser.choose(request)
      chosen.push({ request, by: choice.by })
      for (const resolveWhenAsked of waiting) resolveWhenAsked()
      return choice
    },
    nextId: () => `${name}_${++answers}`,
  }
}
