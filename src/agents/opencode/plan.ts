/**
 * Starts OpenCode without a terminal: prompt on stdin, events on stdout, and Looper's configuration merged with the
 * user's.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listOf, objectOf, parseObject } from '../json.ts'
import { protocolVariables } from '../protocol/variables.ts'
import { reportNote, withNotes } from '../report-note.ts'
import type { PlanRequest, SpawnSpec } from '../adapter.ts'
import { impatience, retryPlugin } from './retry-plugin.ts'

/** Turns off updates and downloads. */
const quiet: Readonly<Record<string, string>> = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
}

/** Denied to judges. Commands stay allowed because a judge has to run things; a diff shows what they change. */
const readOnly = { OPENCODE_PERMISSION: JSON.stringify({ edit: 'deny' }) }

/** Leaves time for the tools to start on a busy machine. */
const toolsTimeoutMs = 30_000

export function plan(request: PlanRequest): SpawnSpec {
  const { agent, work, rights, folder } = request
  const model = work.model ?? agent.model
  const plugin = join(folder, 'retries.js')
  return {
    argv: [
      // The logs explain errors that OpenCode only calls unexpected.
      agent.bin ?? 'opencode',
      'run',
      '--format',
      'json',
      '--auto',
      '--print-logs',
      '--log-level',
      'ERROR',
      ...(model === undefined ? [] : ['-m', model]),
      ...(work.session === undefined ? [] : ['--session', work.session.id]),
      ...(agent.args ?? []),
    ],
    env: {
      ...quiet,
      ...impatience,
      ...(rights === 'read' ? readOnly : {}),
      ...agent.env,
      OPENCODE_CONFIG_CONTENT: configuration(request, pathToFileURL(plugin).href),
      ...protocolVariables(request),
    },
    stdin: withNotes(request.prompt, [reportNote('looper_report')]),
    files: [
      { path: request.schemaFile, content: request.schema },
      { path: plugin, content: retryPlugin(agent.env ?? {}) },
    ],
  }
}

/** Added to the user's files. The user's own OPENCODE_CONFIG_CONTENT takes precedence. */
function configuration({ env, mcp }: PlanRequest, plugin: string): string {
  const given = env['OPENCODE_CONFIG_CONTENT']
  const own = parseObject(given ?? '{}')
  // An invalid value is passed on unchanged: OpenCode reports the problem itself.
  if (own === null) return given ?? '{}'
  return JSON.stringify({
    share: 'disabled',
    ...own,
    plugin: [...listOf(own['plugin']), plugin],
    mcp: {
      ...objectOf(own['mcp']),
      looper: {
        type: 'local',
        command: [mcp.command, ...mcp.args],
        environment: mcp.env,
        enabled: true,
        timeout: toolsTimeoutMs,
      },
    },
  })
}
