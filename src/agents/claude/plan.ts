/** Starts Claude Code without a terminal: prompt on stdin, events on stdout, and a JSON Schema for the answer. */
import { parseObject } from '../json.ts'
import { protocolVariables } from '../protocol/variables.ts'
import type { PlanRequest, SpawnSpec } from '../adapter.ts'

/** Limits its own retries, because Looper retries itself, and turns off updates and telemetry. */
const quiet: Readonly<Record<string, string>> = {
  CLAUDE_CODE_MAX_RETRIES: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
}

/** Denied to judges. Commands stay allowed because a judge has to run things; a diff shows what they change. */
const editors = 'Edit,Write,NotebookEdit'

/** Claude Code rejects a budget of zero. */
const leastBudget = 0.0001

export interface Machine {
  /** As root, Claude Code skips permissions only when a variable says that it runs in a sandbox. */
  isRoot: boolean
}

export const createPlan =
  ({ isRoot }: Machine) =>
  (request: PlanRequest): SpawnSpec => {
    const { agent, work, rights } = request
    const model = work.model ?? agent.model
    const budget = agent.billing === 'subscription' ? undefined : work.budgetUsd
    return {
      argv: [
        agent.bin ?? 'claude',
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--dangerously-skip-permissions',
        ...(rights === 'read' ? ['--disallowedTools', editors] : []),
        ...(model === undefined ? [] : ['--model', model]),
        ...(work.session === undefined ? [] : ['--resume', work.session.id]),
        ...schemaArguments(request.schema),
        ...(budget === undefined ? [] : ['--max-budget-usd', Math.max(budget, leastBudget).toFixed(4)]),
        ...(agent.args ?? []),
      ],
      env: { ...quiet, ...(isRoot ? { IS_SANDBOX: '1' } : {}), ...agent.env, ...protocolVariables(request) },
      stdin: request.prompt,
      files: [{ path: request.schemaFile, content: request.schema }],
    }
  }

/** Claude Code rejects a schema that has a `$schema` key. */
function schemaArguments(text: string): string[] {
  const { $schema: _, ...schema } = parseObject(text) ?? {}
  return Object.keys(schema).length === 0 ? [] : ['--json-schema', JSON.stringify(schema)]
}
