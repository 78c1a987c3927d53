/** One script of a server, with the log of what was asked of it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ModelRequest } from './model-request.ts'
import { createChooser, type Chosen, type ScriptSource } from './script.ts'

export interface Exchange {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: unknown
  /** Null when no answer of a model was asked for. */
  request: ModelRequest | null
  /** Who chose the answer; null until it is chosen. */
  by: Chosen['by'] | null
}

export interface ScriptedModel {
  name: string
  /** What to put where an agent takes the address of its provider. */
  baseUrls: { anthropic: string; openai: string; gemini: string }
  /** Everything that came in, in the order of its coming. */
  exchanges: readonly Exchange[]
  /** What was asked of the model, requests for titles left out. */
  requests(): ModelRequest[]
  /** Requests the script says nothing about. */
  unscripted(): ModelRequest[]
  /** Resolves with the nth request, counted from one, as soon as it has come. */
  asked(nth: number): Promise<ModelRequest>
}

/** The server's side of it. */
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
        const look = (): void => {
          const request = requests()[nth - 1]
          if (request === undefined) return
          waiting.delete(look)
          resolve(request)
        }
        waiting.add(look)
        look()
      }),
  }
  return {
    model,
    record: (exchange) => void exchanges.push(exchange),
    async choose(request) {
      const choice = await chooser.choose(request)
      chosen.push({ request, by: choice.by })
      for (const look of waiting) look()
      return choice
    },
    nextId: () => `${name}_${++answers}`,
  }
}
