/** `looper pipeline dry-run`: a pipeline as it would run here, with the agents of the configuration. */
import { delimiter } from 'node:path'
import { loadConfig } from '../../config/layers.ts'
import { loopFiles } from '../../context/loop-prompt.ts'
import { route, type Route } from '../../core/policies/routing.ts'
import { agentTypeOf } from '../../model/agent-type.ts'
import type { Config } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { dryRun, type DryRunRequest } from '../../pipelines/dry-run.ts'
import type { DryRun } from '../../views/pipelines/dry-run.ts'
import type { DryRunOrder } from '../../api/pipelines.ts'
import { chooseAgent, entryOf } from '../prepare/choose-agent.ts'
import type { AppContext } from '../context.ts'
import { whereOf } from './pipelines.ts'

export async function dryRunPipeline(context: AppContext, { name, ...order }: DryRunOrder): Promise<DryRun> {
  const where = whereOf(context)
  const { config, sources } = loadConfig({ root: where.root, env: context.env, home: context.home })
  const usual = await usualAgent(config, sources['agent']?.source ?? 'default', context, where.root)
  return dryRun(name, { ...where, ...order, files: loopFiles, route: routing(config, usual) })
}

/** Null when no agent is installed: the rest of the dry run is still useful. */
async function usualAgent(config: Config, source: string, { env }: AppContext, root: string): Promise<string | null> {
  try {
    return (await chooseAgent(config, source, { root, path: env['PATH'] ?? delimiter, isTracked: async () => false }))
      .agent
  } catch (error) {
    if (error instanceof LooperError && error.code === 'CONFIG_NO_AGENT') return null
    throw error
  }
}

/** Routes as for the first turn of a run. An agent that the stage names takes precedence over role and schedule. */
function routing(config: Config, usual: string | null): DryRunRequest['route'] {
  return (named) => {
    if (named !== null) return namedAgent(config, named)
    return usual === null
      ? { agent: null, model: null }
      : route({ ...config, agent: usual, checks: [] }, 'iterator', 1, 1)
  }
}

function namedAgent(config: Config, name: string): Route {
  const entry = entryOf(config, name)
  if (agentTypeOf(name, entry) !== null) return { agent: name, model: entry.model ?? null }
  const what = `a stage names the agent ${JSON.stringify(name)}, which Looper does not know how to start`
  throw new LooperError('CONFIG_UNKNOWN_AGENT', what)
}
