/** Asks an installed agent about itself, without spending a token. */
import type { AgentAdapter, Probe } from '../agents/adapter.ts'
import { agentEnvironment } from '../agents/environment.ts'
import type { AgentConfig } from '../model/config.ts'
import { runProcess } from '../platform/run-process.ts'
import type { Context } from './context.ts'

const timeoutMs = 20_000

/** Null when the adapter cannot tell anything. */
export async function probeAgent(adapter: AgentAdapter, agent: AgentConfig, context: Context): Promise<Probe | null> {
  const env = agentEnvironment(context.env, agent)
  return adapter.probe === undefined ? null : adapter.probe({
    agent, env, home: context.home,
    ask: (args) => runProcess({
      argv: [agent.bin ?? adapter.program ?? '', ...args], cwd: context.cwd, env, timeoutMs, keepBytes: 64 * 1024,
    }),
  })
}

/** "2.1.325 · logged in · takes a schema, resumes sessions, has a read-only mode, keeps to a budget" */
export function probeText({ capabilities }: AgentAdapter, { version, login }: Probe): string {
  const can = [
    capabilities.structured === 'schema' ? 'takes a schema'
      : capabilities.structured === 'tool' ? 'answers through a tool' : 'answers in words',
    capabilities.resumes && 'resumes sessions', capabilities.readOnly && 'has a read-only mode', capabilities.budget && 'keeps to a budget',
    capabilities.cost === 'priced' && 'priced by a table',
  ].filter((part) => part !== false)
  const known = { yes: 'logged in', no: 'not logged in', unknown: 'login unknown' }[login]
  return [version ?? 'version unknown', known, can.join(', ')].join(' · ')
}
