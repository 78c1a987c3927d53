/** The mask of a run: hides the secrets of every environment that its processes may see. */
import { createMask, type Mask } from '../../agents/mask.ts'
import { loadConfig, type LoadedConfig } from '../../config/layers.ts'
import type { AppContext } from '../context.ts'

type Settings = Pick<LoadedConfig, 'config' | 'hiddenChecks'>

export function maskOf(env: NodeJS.ProcessEnv, { config, hiddenChecks }: Settings): Mask {
  const checks = [...(config.checks ?? []), ...hiddenChecks]
  const webhook = config.notify.webhook ?? undefined
  const own = [...Object.values(config.agents), ...checks, config.workspace].map((entry) => entry.env ?? {})
  return createMask([env, ...own, { webhook }], [...config.secrets, 'webhook'])
}

/**
 * What was secret when a run started stays secret: `begun` are the `secrets` of its start, and an exception (`!NAME`)
 * that was added since then does not count.
 */
export function withSecretsOf<T extends Settings>(loaded: T, begun: readonly string[] | undefined): T {
  if (begun === undefined) return loaded
  const { config } = loaded
  const isException = (name: string): boolean => name.startsWith('!')
  const named = [...begun, ...config.secrets].filter((name) => !isException(name))
  const exceptions = begun.filter((name) => isException(name) && config.secrets.includes(name))
  return { ...loaded, config: { ...config, secrets: [...new Set([...named, ...exceptions])] } }
}

/**
 * The same from the current configuration and the `secrets` that a run started with. A broken configuration file must
 * not prevent the user from reading a run.
 */
export function maskFor(
  { env, home }: Pick<AppContext, 'env' | 'home'>,
  root: string | null,
  begun?: readonly string[],
): Mask {
  try {
    return maskOf(env, withSecretsOf(loadConfig({ root, env, home }), begun))
  } catch {
    return createMask(env, begun ?? [])
  }
}
