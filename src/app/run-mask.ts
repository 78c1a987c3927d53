/** The mask of a run: hides the secrets of every environment that its processes may see. */
import { createMask, type Mask } from '../agents/mask.ts'
import { loadConfig, type LoadedConfig } from '../config/layers.ts'
import type { Context } from './context.ts'

type Settings = Pick<LoadedConfig, 'config' | 'hiddenChecks'>

/** `names`: secret variables in addition to those of the configuration. */
export function maskOf(
  env: NodeJS.ProcessEnv,
  { config, hiddenChecks }: Settings,
  names: readonly string[] = [],
): Mask {
  const checks = [...(config.checks ?? []), ...hiddenChecks]
  const webhook = config.notify.webhook ?? undefined
  const own = [...Object.values(config.agents), ...checks, config.workspace].map((entry) => entry.env ?? {})
  return createMask([env, ...own, { webhook }], [...config.secrets, ...names, 'webhook'])
}

/**
 * The same from the current configuration. A broken configuration file must not prevent the user from reading a run.
 */
export function maskFor(
  { env, home }: Pick<Context, 'env' | 'home'>,
  root: string | null,
  names: readonly string[] = [],
): Mask {
  try {
    return maskOf(env, loadConfig({ root, env, home }), names)
  } catch {
    return createMask(env, names)
  }
}
