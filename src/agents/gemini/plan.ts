/** Starts Gemini CLI without a terminal: the prompt on stdin, events on stdout, nothing of the user's own settings replaced. */
import { join } from 'node:path'
import { protocolVariables } from '../protocol/variables.ts'
import { reportNote, withNotes } from '../report-note.ts'
import type { PlanRequest, SpawnSpec } from '../adapter.ts'

const quiet: Readonly<Record<string, string>> = { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' }

/** Taken from judges. Commands stay, because a judge has to try things: what those change, a diff shows. */
const readOnlyPolicy = `[[rule]]
toolName = ["write_file", "replace"]
decision = "deny"
priority = 999
denyMessage = "This role does not edit files."
`

export interface Machine {
  /** Settings below the user's own are only taken from files that nobody but root can have written. */
  isRoot: boolean
}

export const createPlan = ({ isRoot }: Machine) => (request: PlanRequest): SpawnSpec => {
  const { agent, work, rights, folder } = request
  const model = work.model ?? agent.model
  const defaults = join(folder, 'gemini-defaults.json')
  const policy = join(folder, 'read-only.toml')
  return {
    argv: [
      agent.bin ?? 'gemini', '-o', 'stream-json', '--approval-mode', 'yolo', '--skip-trust',
      ...rights === 'read' ? ['--admin-policy', policy] : [],
      ...model === undefined ? [] : ['-m', model],
      ...work.session === undefined ? [] : ['--resume', work.session.id],
      ...agent.args ?? [],
    ],
    env: { ...quiet, ...isRoot ? { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: defaults } : {}, ...agent.env, ...protocolVariables(request) },
    stdin: toInput(request.prompt, isRoot),
    files: [
      { path: request.schemaFile, content: request.schema },
      ...isRoot ? [{ path: defaults, content: JSON.stringify(defaultSettings(request)) }] : [],
      ...rights === 'read' ? [{ path: policy, content: readOnlyPolicy }] : [],
    ],
  }
}

/** One try of its own is enough, because Looper tries again itself; and it is to do nothing that nobody asked for. */
const defaultSettings = ({ mcp }: PlanRequest): object => ({
  general: { maxAttempts: 2, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  mcpServers: { looper: { ...mcp, trust: true } },
})

/** It would put the files it finds under a name behind @ into the prompt: for `me@src` all of `src`. */
const reference = /(?<!\\)@(?=\S)/g

function toInput(prompt: string, hasTools: boolean): string {
  const plain = prompt.replace(reference, '\\@')
  return withNotes(plain, [
    ...hasTools ? [reportNote('mcp_looper_report')] : [],
    ...plain === prompt ? [] : ['In this text `\\@` stands for `@`: leave out the backslash wherever you use it.'],
  ])
}
