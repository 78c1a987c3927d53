/**
 * Starts OpenCode without a terminal: the prompt on stdin, events on stdout, Looper's part of the configuration beside
 * the user's own.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listOf, objectOf, parseObject } from '../json.ts'
import { protocolVariables } from '../protocol/variables.ts'
import { reportNote, withNotes } from '../report-note.ts'
import type { PlanRequest, SpawnSpec } from '../adapter.ts'
import { impatience, retryPlugin } from './retry-plugin.ts'

/** It is to do nothing that nobody asked for. */
const quiet: Readonly<Record<string, string>> = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
}

/** Taken from judges. Commands stay, because a judge has to try things: what those change, a diff shows. */
const readOnly = { OPENCODE_PERMISSION: JSON.stringify({ edit: 'deny' }) }

/** Time for the tools to start on a busy machine. */
const toolsTimeoutMs = 30_000

export function plan(request: PlanRequest): SpawnSpec {
  const { agent, work, rights, folder } = request
  const model = work.model ?? agent.model
  const plugin = join(folder, 'retries.js')
  return {
    argv: [
      // Its logs tell what it means by an unexpected error.
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

/** On top of the user's files. What the user sets in the same way counts more. */
function configuration({ env, mcp }: PlanRequest, plugin: string): string {
  const given = env['OPENCODE_CONFIG_CONTENT']
  const own = parseObject(given ?? '{}')
  // Nothing to add to; what is wrong with it, it says itself.
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
