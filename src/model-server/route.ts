/** Maps a path to its script, provider and endpoint. */
import type { ProviderName } from './model-request.ts'

export type Endpoint =
  | { kind: 'answer'; provider: ProviderName; model: string; stream: boolean }
  | { kind: 'count'; provider: ProviderName }
  | { kind: 'models' }
  /** Health checks and other calls that need only a successful response. */
  | { kind: 'other' }

export interface Route {
  script: string
  endpoint: Endpoint
}

const fixed: readonly [RegExp, Endpoint][] = [
  [/\/messages\/count_tokens$/, { kind: 'count', provider: 'anthropic' }],
  [/\/messages$/, { kind: 'answer', provider: 'anthropic', model: '', stream: false }],
  [/\/chat\/completions$/, { kind: 'answer', provider: 'openai-chat', model: '', stream: false }],
  [/\/responses$/, { kind: 'answer', provider: 'openai-responses', model: '', stream: false }],
  [/\/models$/, { kind: 'models' }],
]

/** Null when the path names no script. */
export function routeOf(path: string): Route | null {
  const [, script, rest] = /^\/s\/([^/?]+)([^?]*)/.exec(path) ?? []
  return script === undefined || rest === undefined
    ? null
    : { script: decodeURIComponent(script), endpoint: endpointOf(rest) }
}

function endpointOf(path: string): Endpoint {
  const [, model, method] = /\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
  if (model !== undefined && method !== undefined) return geminiEndpoint(decodeURIComponent(model), method)
  return fixed.find(([pattern]) => pattern.test(path))?.[1] ?? { kind: 'other' }
}

function geminiEndpoint(model: string, method: string): Endpoint {
  switch (method) {
    case 'generateContent':
      return { kind: 'answer', provider: 'gemini', model, stream: false }
    case 'streamGenerateContent':
      return { kind: 'answer', provider: 'gemini', model, stream: true }
    case 'countTokens':
      return { kind: 'count', provider: 'gemini' }
    default:
      return { kind: 'other' }
  }
}
