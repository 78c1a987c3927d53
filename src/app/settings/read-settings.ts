/**
 * Hashes of what a run reads from the settings files each time it starts or resumes, so that a later stretch can find
 * what has changed.
 */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hiddenChecksPath } from '../../config/hidden-checks.ts'
import type { LoadedConfig } from '../../config/layers.ts'
import { projectFile, userFile } from '../../config/config-files.ts'
import { templateNames } from '../../context/templates.ts'
import type { ReadSettings } from '../../model/config.ts'
import type { AppContext } from '../context.ts'
import { leaves, readAgain } from './kept-settings.ts'

type Files = Pick<AppContext, 'env' | 'home'> & { root: string }

/** `loaded`: the configuration without flags, because only files can be edited later. */
export const readSettings = (files: Files, loaded: LoadedConfig): ReadSettings => ({
  files: Object.fromEntries(
    settingsFiles(files).flatMap(({ path, where }): [string, string][] => {
      const bytes = contentOf(path)
      return bytes === null ? [] : [[where, hash(bytes)]]
    }),
  ),
  keys: Object.fromEntries(settingsIn(loaded).map(([key, value]) => [key, hash(JSON.stringify(value) ?? '')])),
})

/** Null when there is no such file, or one that cannot be read; its reader reports that. */
function contentOf(path: string): Buffer | null {
  try {
    // Reading a pipe could block forever.
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null
  } catch {
    return null
  }
}

const hash = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

export const promptsFolder = join('.looper', 'prompts')

function settingsFiles({ root, env, home }: Files): { path: string; where: string }[] {
  const prompts = Object.keys(templateNames).map((id) => join(promptsFolder, `${id}.md`))
  const inRoot = [hiddenChecksPath, ...prompts].map((where) => ({ path: join(root, where), where }))
  return [userFile(env, home), projectFile(root), ...inRoot]
}

/** The settings that a resume reads again, also the variables of checks and set-up. */
function settingsIn({ config, hiddenChecks }: LoadedConfig): [key: string, value: unknown][] {
  const { workspace } = config
  const variables = [...(config.checks ?? []), ...hiddenChecks]
    .filter(({ env, pass }) => env !== undefined || pass !== undefined)
    .map(({ name, env, pass }): [string, unknown] => [`checks.${name}`, { env, pass }])
  return [
    ...Object.entries(config).flatMap(([key, value]) => (readAgain.has(key) ? leaves(key, value) : [])),
    ...variables,
    ...(workspace.env === undefined ? [] : [['workspace.env', workspace.env] satisfies [string, unknown]]),
    ...(workspace.pass === undefined ? [] : [['workspace.pass', workspace.pass] satisfies [string, unknown]]),
  ]
}
