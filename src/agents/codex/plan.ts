/** Starts Codex without a terminal: prompt on stdin, events on stdout, and a strict JSON Schema for the answer. */
import { join } from 'node:path'
import { purposes } from '../../model/purposes.ts'
import type { PlanRequest, SpawnSpec } from '../adapter.ts'
import { protocolVariables } from '../protocol/variables.ts'
import { strictSchema } from './strict-schema.ts'

/** Turns off update checks, analytics and feedback. */
const quiet = [
  '-c',
  'check_for_update_on_startup=false',
  '-c',
  'analytics.enabled=false',
  '-c',
  'feedback.enabled=false',
]

/** A setting and not a flag, because the configured arguments can override a setting. */
const readOnly = ['-c', 'sandbox_mode="read-only"', '-c', 'approval_policy="never"']

export function plan(request: PlanRequest): SpawnSpec {
  const { agent, work, rights, folder, cwd, confined = false } = request
  const model = work.model ?? agent.model
  const schema = strictSchema(request.schema)
  const strictFile = join(folder, 'output-schema.json')
  // Programs that a judge runs write caches and temporary files and open ports, which fails in Codex's read-only
  // sandbox.
  const isFree = rights === 'write' || purposes[work.purpose].access === 'run'
  return {
    argv: [
      agent.bin ?? 'codex',
      'exec',
      '--json',
      '--skip-git-repo-check',
      '-C',
      cwd,
      ...quiet,
      ...(isFree || confined ? ['--dangerously-bypass-approvals-and-sandbox'] : readOnly),
      ...(model === undefined ? [] : ['-m', model]),
      ...(schema === null ? [] : ['--output-schema', strictFile]),
      ...(agent.args ?? []),
      ...(work.session === undefined ? [] : ['resume', work.session.id]),
      '-',
    ],
    env: { ...agent.env, ...protocolVariables(request) },
    stdin: request.prompt,
    readOnly: confined && !isFree,
    files: [
      { path: request.schemaFile, content: request.schema },
      ...(schema === null ? [] : [{ path: strictFile, content: schema }]),
    ],
  }
}
