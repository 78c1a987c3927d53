/**
 * Starts Gemini CLI without a terminal: prompt on stdin, events on stdout, and Looper's tools where they can be
 * configured.
 */
import { join } from 'node:path'
import { protocolVariables } from '../protocol/variables.ts'
import { reportNote, withNotes } from '../report-note.ts'
import type { PlanRequest, SpawnSpec } from '../adapter.ts'

const quiet: Readonly<Record<string, string>> = { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' }

/** Denied to judges. Commands stay allowed because a judge has to run things; a diff shows what they change. */
const readOnlyPolicy = `[[rule]]
toolName = ["write_file", "replace"]
decision = "deny"
priority = 999
denyMessage = "This role does not edit files."
`

export interface Machine {
  /** Gemini CLI reads system defaults only from files that only root can write. */
  isRoot: boolean
}

export const createPlan =
  ({ isRoot }: Machine) =>
  (request: PlanRequest): SpawnSpec => {
    const { agent, work, rights, folder } = request
    const model = work.model ?? agent.model
    const settings = isRoot ? systemSettings(request) : ownSettings(request)
    const policy = join(folder, 'read-only.toml')
    return {
      argv: [
        agent.bin ?? 'gemini',
        '-o',
        'stream-json',
        '--approval-mode',
        'yolo',
        '--skip-trust',
        ...(rights === 'read' ? ['--admin-policy', policy] : []),
        ...(model === undefined ? [] : ['-m', model]),
        ...(work.session === undefined ? [] : ['--resume', work.session.id]),
        ...(agent.args ?? []),
      ],
      env: { ...quiet, ...settings?.env, ...agent.env, ...protocolVariables(request) },
      stdin: toInput(request.prompt, settings !== null),
      files: [
        { path: request.schemaFile, content: request.schema },
        ...(settings === null ? [] : [settings.file]),
        ...(rights === 'read' ? [{ path: policy, content: readOnlyPolicy }] : []),
      ],
    }
  }

interface Settings {
  env: Record<string, string>
  file: SpawnSpec['files'][number]
}

/** Settings with lower priority than the user's own. */
function systemSettings({ folder, mcp }: PlanRequest): Settings {
  const path = join(folder, 'gemini-defaults.json')
  return {
    env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: path },
    file: { path, content: JSON.stringify(looperSettings(mcp)) },
  }
}

/**
 * A login by API key needs nothing from the user's home, so the run gets a home of its own, where its sessions can be
 * resumed. All turns share its settings; values that differ are passed in the environment. Null when the user's login,
 * or a home that the user has chosen, is needed.
 */
function ownSettings({ env, home, mcp }: PlanRequest): Settings | null {
  if (!mayHaveHome(env)) return null
  const named = Object.fromEntries(Object.keys(mcp.env).map((name) => [name, `\${${name}}`]))
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } }, ...looperSettings({ ...mcp, env: named }) }
  return {
    env: { GEMINI_CLI_HOME: home, ...mcp.env },
    file: { path: join(home, '.gemini', 'settings.json'), content: JSON.stringify(settings) },
  }
}

const mayHaveHome = (env: Readonly<Record<string, string>>): boolean =>
  Boolean(env['GEMINI_API_KEY']) && !env['GEMINI_CLI_HOME']

/** Whether Looper's tools can be configured for Gemini CLI. */
export const takesTools = ({ isRoot }: Machine, env: Readonly<Record<string, string>>): boolean =>
  isRoot || mayHaveHome(env)

/** Limits its own retries, because Looper retries itself, and turns off updates and statistics. */
const looperSettings = (mcp: PlanRequest['mcp']): object => ({
  general: { maxAttempts: 2, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  mcpServers: { looper: { ...mcp, trust: true } },
})

/** Gemini CLI replaces `@path` in the prompt with the files there: `me@src` would include all of `src`. */
const reference = /(?<!\\)@(?=\S)/g

function toInput(prompt: string, hasTools: boolean): string {
  const plain = prompt.replace(reference, '\\@')
  return withNotes(plain, [
    ...(hasTools ? [reportNote('mcp_looper_report')] : []),
    ...(plain === prompt ? [] : ['In this text `\\@` stands for `@`: leave out the backslash wherever you use it.']),
  ])
}
