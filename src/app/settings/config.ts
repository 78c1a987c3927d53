/**
 * `looper config`, `config get` and `config path`, loaded on demand: the settings in effect, one setting, and the
 * files.
 */
import { existsSync } from 'node:fs'
import { maskDeep } from '../../agents/mask.ts'
import { projectFile, userFile } from '../../config/config-files.ts'
import { findKey } from '../../config/find-key.ts'
import { settingsSpec } from '../../config/keys.ts'
import { loadConfig } from '../../config/layers.ts'
import { masked } from '../../config/leaves.ts'
import { showConfig } from '../../config/show.ts'
import { valueAt } from '../../config/validate.ts'
import type { ConfigFileInfo, Flags, Settings } from '../../api/settings.ts'
import type { AppContext } from '../context.ts'
import { maskOf } from '../launch/run-mask.ts'

export function readSettings(
  { env, home }: AppContext,
  root: string | null,
  flags: Flags,
): { settings: Settings; warnings: string[] } {
  const loaded = loadConfig({ root, env, flags, home })
  const mask = maskOf(env, loaded)
  const settings = Object.entries(showConfig(loaded)).map(([key, { value, source }]): [string, Settings[string]] => [
    key,
    { value: key.startsWith('secrets') ? value : maskDeep(value, mask), source },
  ])
  return { settings: Object.fromEntries(settings), warnings: loaded.warnings }
}

/** Undefined when the key is not set. Throws USAGE_ARGUMENTS when there is no such key. */
export function readSetting({ env, home }: AppContext, root: string | null, key: string): unknown {
  const loaded = loadConfig({ root, env, home })
  const { path } = findKey(key, loaded.config)
  // Other settings may contain the values of secret variables, too.
  return maskDeep(valueAt(masked(settingsSpec, loaded.config), path), maskOf(env, loaded))
}

/** The same, with what a run discovers where the configuration sets nothing. */
export async function readInEffect(context: AppContext, root: string | null, key: string): Promise<unknown> {
  const { env, home } = context
  const value = readSetting(context, root, key)
  if (root === null || (value !== null && value !== undefined)) return value
  const found = await discovered(key, root, env)
  return found === undefined ? value : maskDeep(found, maskOf(env, loadConfig({ root, env, home })))
}

/** Undefined for a key that is not discovered. */
async function discovered(key: string, root: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  if (key !== 'checks' && key !== 'workspace.setup') return undefined
  const { discoverIn } = await import('../prepare/discover.ts')
  const { checks, setup } = await discoverIn(root, env)()
  return key === 'checks' ? checks : setup
}

/** In the order in which they are loaded. */
export function configFiles({ env, home }: AppContext, root: string | null): ConfigFileInfo[] {
  const files = [userFile(env, home), ...(root === null ? [] : [projectFile(root)])]
  return files.map(({ name, path }) => ({ name, path, exists: existsSync(path) }))
}
