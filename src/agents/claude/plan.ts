/**
 * Starts Claude Code without a terminal: the prompt on stdin, events on stdout, the answer's shape as a JSON Schema.
 */
import { parseObject } from '../json.ts'
import { protocolVariables } from '../protocol/variables.ts'
import type { PlanRequest, SpawnSpec } from '../adapter.ts'

/** One try of its own is enough, because Looper tries again itself; and it is to do nothing that nobody asked for. */
const quiet: Readonly<Record<string, string>> = {
  CLAUDE_CODE_MAX_RETRIES: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
}

/** Taken from judges. Commands stay, because a judge has to try things: what those change, a diff shows. */
const editors = 'Edit,Write,NotebookEdit'

/** It takes no budget of nothing. */
const leastBudget = 0.0001

export interface Machine {
  /** As root it skips permissions only where it is told that nothing can be broken. */
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

/** It refuses a schema that names its dialect. */
function schemaArguments(text: string): string[] {
  const { $schema: _, ...schema } = parseObject(text) ?? {}
  return Object.keys(schema).length === 0 ? [] : ['--json-schema', JSON.stringify(schema)]
}
