/**
 * `looper config`, `config get` and `config path`, loaded on demand: the settings in effect, one setting, and the
 * files.
 */
import { existsSync } from 'node:fs'
import { maskDeep } from '../agents/mask.ts'
import { projectFile, userFile } from '../config/places.ts'
import { findKey } from '../config/find-key.ts'
import { settingsSpec } from '../config/keys.ts'
import { loadConfig } from '../config/layers.ts'
import { masked } from '../config/leaves.ts'
import { showConfig } from '../config/show.ts'
import { valueAt } from '../config/validate.ts'
import type { ConfigPlace, Flags, Settings } from '../api/settings.ts'
import type { Context } from './context.ts'
import { maskOf } from './run-mask.ts'

export function readSettings(
  { env, home }: Context,
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
export function readSetting({ env, home }: Context, root: string | null, key: string): unknown {
  const loaded = loadConfig({ root, env, home })
  const { path } = findKey(key, loaded.config)
  // Other settings may contain the values of secret variables, too.
  return maskDeep(valueAt(masked(settingsSpec, loaded.config), path), maskOf(env, loaded))
}

/** In the order in which they are loaded. */
export function configFiles({ env, home }: Context, root: string | null): ConfigPlace[] {
  const files = [userFile(env, home), ...(root === null ? [] : [projectFile(root)])]
  return files.map(({ name, path }) => ({ name, path, exists: existsSync(path) }))
}
