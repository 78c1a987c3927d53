/** Queries an installed agent for its version and login, without spending a token. */
import { resolve, sep } from 'node:path'
import type { AgentKind, Probe, ProbeRequest } from '../../agents/adapter.ts'
import { agentEnvironment } from '../../agents/environment.ts'
import type { AgentConfig } from '../../model/config.ts'
import { realPath } from '../../platform/real-path.ts'
import { runProcess } from '../../platform/run-process.ts'
import type { AppContext } from '../context.ts'

const timeoutMs = 20_000

/** Null when this kind of agent has no probe, or its program may have come with the repository. */
export const probeAgent = async (
  kind: AgentKind,
  agent: AgentConfig,
  context: AppContext,
  root: string,
): Promise<Probe | null> =>
  isInRepository(agent.bin ?? '', root) ? null : (kind.probe?.(probeRequest(kind, agent, context)) ?? null)

/**
 * A cloned repository brings its own configuration. A program that this names inside the repository is started by a run
 * alone, never to look at it.
 */
export const isInRepository = (program: string, root: string): boolean =>
  program.includes(sep) && `${realPath(resolve(root, program))}${sep}`.startsWith(`${realPath(root)}${sep}`)

/** Variables that make a program load code of others. */
const loading = /^(?:NODE_(?:OPTIONS|PATH)|LD_|DYLD_|PATH$|BASH_ENV$|ENV$|PYTHON|PERL|RUBY)/

const withoutLoading = (agent: AgentConfig): AgentConfig => ({
  ...agent,
  ...(agent.env === undefined
    ? {}
    : { env: Object.fromEntries(Object.entries(agent.env).filter(([name]) => !loading.test(name))) }),
})

export function probeRequest(
  { program }: Pick<AgentKind, 'program'>,
  agent: AgentConfig,
  context: AppContext,
): ProbeRequest {
  const env = agentEnvironment(context.env, withoutLoading(agent))
  return {
    agent,
    env,
    home: context.home,
    ask: (args) =>
      runProcess({
        argv: [agent.bin ?? program ?? '', ...args],
        cwd: context.cwd,
        env,
        timeoutMs,
        keepBytes: 64 * 1024,
      }),
  }
}

/** "2.1.325 · logged in · takes a schema, resumes sessions, has a read-only mode, keeps to a budget" */
export function probeText(
  { capabilities }: AgentKind,
  { version, login, structured = capabilities.structured }: Probe,
): string {
  const can = [
    { schema: 'takes a schema', tool: 'answers through a tool', words: 'answers in words' }[structured],
    capabilities.resumes && 'resumes sessions',
    capabilities.readOnly && 'has a read-only mode',
    capabilities.budget && 'keeps to a budget',
    capabilities.cost === 'priced' && 'priced by a table',
  ].filter((part) => part !== false)
  const known = { yes: 'logged in', no: 'not logged in', unknown: 'login unknown' }[login]
  const { testedWith = version } = capabilities
  const tested = version === null || version === testedWith ? '' : ` (tested with ${testedWith})`
  return [`${version ?? 'version unknown'}${tested}`, known, can.join(', ')].join(' · ')
}
