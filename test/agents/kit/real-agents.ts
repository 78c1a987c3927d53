/** The CLIs that are tested. One entry says everything that differs. */
import type { AgentConfig } from '../../../src/model/config.ts'
import type { ScriptedModel, Step, TokenCounts } from '../../../src/testing.ts'
import type { Agent } from '../../recordings/agents/agent.d.ts'
import { claude } from '../../recordings/agents/claude.js'
import { codex } from '../../recordings/agents/codex.js'
import { gemini } from '../../recordings/agents/gemini.js'
import { opencode } from '../../recordings/agents/opencode.js'

export interface AgentAccess {
  program: string
  baseUrls: ScriptedModel['baseUrls']
  /** A key that no provider has ever seen. */
  key: string
}

export interface RealAgent {
  name: string
  /** Its name among the pinned versions. */
  install: string
  /** Whether it is tested without being asked for. */
  isUsual: boolean
  /** Calls of the tools it offers its model. */
  tools: Pick<Agent, 'write' | 'command' | 'report'>
  /** What it finds in its home, by their paths there. */
  files?: Readonly<Record<string, string>>
  /** What it would install into this folder of its home, which takes a minute. */
  library?: { install: string; folder: string }
  /** What the configuration says of it. */
  config(access: AgentAccess): AgentConfig
  /** In US dollars per million tokens, as its provider or the configuration has it. */
  price: Pick<TokenCounts, 'input' | 'cacheRead' | 'cacheWrite' | 'output'>
  /** It does not tell what it thought without saying it. */
  hidesThoughts?: true
  /** Where a limit is told with the time of its end; the configuration it takes. */
  subscription?(access: AgentAccess): AgentConfig
  /** Whether it ends by itself when its money is spent. */
  keepsBudget?: true
  /** After so much silence it is certain that nothing will come: longer than its start takes on a busy machine. */
  stallSeconds: number
  /** Further ways in which it comes to no end. */
  endless?: readonly { what: string; kind: string; step(): Step }[]
}

const scriptedProvider = (url: string): string =>
  `model_providers.scripted={name="scripted",base_url="${url}",env_key="SCRIPTED_API_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`

const codexConfig = ({ program, baseUrls, key }: AgentAccess): AgentConfig => ({
  bin: program,
  model: 'gpt-5.5',
  args: ['-c', 'model_provider="scripted"', '-c', scriptedProvider(baseUrls.openai)],
  env: { SCRIPTED_API_KEY: key },
  prices: { 'gpt-5.5': { input: 2, cachedInput: 0.5, output: 8 } },
})

const geminiEnv = ({ baseUrls, key }: Omit<AgentAccess, 'program'>): Record<string, string> => ({
  GEMINI_API_KEY: key,
  GOOGLE_GEMINI_BASE_URL: baseUrls.gemini,
})

const geminiFiles = (more: object = {}): Record<string, string> => ({
  '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } }, ...more }),
})

const opencodeConfig = (baseURL: string): string =>
  JSON.stringify({
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL, apiKey: '{env:SCRIPTED_API_KEY}' },
        models: {
          model: {
            name: 'Model',
            cost: { input: 2, output: 10, cache_read: 0.2 },
            limit: { context: 200_000, output: 32_000 },
          },
        },
      },
    },
  })

export const everyAgent: readonly RealAgent[] = [
  {
    name: 'claude',
    install: 'claude',
    isUsual: true,
    keepsBudget: true,
    stallSeconds: 6,
    tools: claude,
    config: ({ program, baseUrls, key }) => ({
      bin: program,
      model: 'claude-sonnet-5',
      env: { ANTHROPIC_BASE_URL: baseUrls.anthropic, ANTHROPIC_API_KEY: key },
    }),
    price: { input: 2, cacheRead: 0.2, cacheWrite: 2.5, output: 10 },
    subscription: ({ program, baseUrls, key }) => ({
      bin: program,
      model: 'claude-sonnet-5',
      env: { ANTHROPIC_BASE_URL: baseUrls.anthropic, CLAUDE_CODE_OAUTH_TOKEN: key },
    }),
  },
  {
    name: 'codex',
    install: 'codex',
    isUsual: true,
    stallSeconds: 6,
    tools: codex,
    config: codexConfig,
    // It tells what was put into the cache, but the table of prices knows no price of its own for that.
    price: { input: 2, cacheRead: 0.5, cacheWrite: 2, output: 8 },
    subscription: codexConfig,
  },
  {
    name: 'gemini',
    install: 'gemini',
    isUsual: false,
    stallSeconds: 8,
    tools: gemini,
    files: geminiFiles(),
    config: ({ program, ...access }) => ({ bin: program, model: 'gemini-2.5-pro', env: geminiEnv(access) }),
    price: { input: 1.25, cacheRead: 1.25, cacheWrite: 1.25, output: 10 },
  },
  {
    name: 'opencode',
    install: 'opencode',
    isUsual: false,
    library: { install: 'opencode-plugin', folder: '.config/opencode' },
    stallSeconds: 20,
    tools: opencode,
    config: ({ program, baseUrls, key }) => ({
      bin: program,
      model: 'scripted/model',
      env: { SCRIPTED_API_KEY: key, OPENCODE_CONFIG_CONTENT: opencodeConfig(baseUrls.openai) },
    }),
    price: { input: 2, cacheRead: 0.2, cacheWrite: 2, output: 10 },
    endless: [
      {
        what: 'a conversation that is summed up again and again is ended as soon as that is seen',
        kind: 'context_overflow',
        step: () => ({ text: 'More.', usage: { input: 250_000, output: 10 } }),
      },
    ],
  },
  {
    name: 'gemini-acp',
    install: 'gemini',
    isUsual: false,
    hidesThoughts: true,
    stallSeconds: 8,
    tools: gemini,
    // Through ACP, only its own settings can prevent its ten retries.
    files: geminiFiles({ general: { maxAttempts: 1 } }),
    config: ({ program, ...access }) => ({
      acp: [program, '--acp', '--skip-trust', '-m', 'gemini-2.5-pro'],
      env: geminiEnv(access),
    }),
    // The protocol has no word for it.
    price: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  },
]
