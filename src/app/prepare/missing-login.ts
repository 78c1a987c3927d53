/** Finds out before a run whether its agents are logged in, because without a login every turn fails. */
import { kindOf } from '../../agents/registry.ts'
import { agentTypeOf } from '../../model/agent-type.ts'
import type { Config } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import type { AppContext } from '../context.ts'
import { isInRepository, probeRequest } from './probe-agent.ts'

/** Agents with these roles are asked nothing in a run without reviews. */
const reviewing: readonly string[] = ['tester', 'supervisor', 'expert']

/** The agents that a run certainly asks; others are asked only when these have reached a limit. */
function askedFirst({ roles, review, schedule, rotation }: Config, agent: string): string[] {
  const ofRoles = Object.entries(roles).flatMap(([role, preferred]) =>
    preferred?.agent === undefined || (!review && reviewing.includes(role)) ? [] : [preferred.agent],
  )
  return [...new Set([agent, ...ofRoles, ...(schedule === 'single' ? [] : rotation)])]
}

/**
 * Asks the agents now. The function that it returns waits for their answers, and throws AGENT_LOGIN when one of them is
 * certainly not logged in. `agents` are located already.
 */
export function probeLogins(
  context: AppContext,
  config: Config,
  agent: string,
  agents: Config['agents'],
  root: string,
): () => Promise<void> {
  const asked = Promise.all(
    askedFirst(config, agent).map(async (name) => ({ name, advice: await missingLogin(context, name, agents, root) })),
  )
  // The error is thrown to the caller that waits for the answers.
  asked.catch(() => {})
  return async () => {
    for (const { name, advice } of await asked) {
      if (advice === null) continue
      throw new LooperError('AGENT_LOGIN', `${name} is not logged in.`, {
        hint: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}, then try again.`,
      })
    }
  }
}

async function missingLogin(
  context: AppContext,
  name: string,
  agents: Config['agents'],
  root: string,
): Promise<string | null> {
  const agent = agents[name] ?? {}
  if (isInRepository(agent.bin ?? '', root)) return null
  const type = agentTypeOf(name, agent)
  const kind = type === null ? null : kindOf(type)
  return kind?.missingLogin?.(probeRequest(kind, agent, context)) ?? null
}
