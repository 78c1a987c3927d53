/** `looper config set`: changes one value in a configuration file. Never writes an invalid file. */
import { mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { editConfig, readConfigFile } from '../../config/file.ts'
import { projectFile, userFile, type ConfigFile } from '../../config/config-files.ts'
import { findKey, type FoundKey } from '../../config/find-key.ts'
import { loadConfig } from '../../config/layers.ts'
import { masked } from '../../config/leaves.ts'
import { parseJsonc } from '../../platform/jsonc.ts'
import { readFlag, readText } from '../../config/text-value.ts'
import { valueAt } from '../../config/validate.ts'
import { LooperError, messageOf } from '../../model/error.ts'
import { isObject } from '../../model/object.ts'
import { ioError, readIfExists, whenExists, writeAtomic } from '../../platform/files.ts'
import { realPath } from '../../platform/real-path.ts'
import { withMachineLock } from '../../sources/machine-lock.ts'
import type { ConfigChange, ConfigChanged } from '../../api/settings.ts'
import { ensureLooperFolder } from '../../workspace/looper-folder.ts'
import { bringSchema, schemaReference } from './config-schema.ts'
import type { AppContext } from '../context.ts'

export async function setSetting(
  context: AppContext,
  root: string | null,
  change: ConfigChange,
): Promise<ConfigChanged> {
  const file = change.file === 'user' ? userFile(context.env, context.home) : projectFile(needed(root))
  // When two processes change the file at once, the second must read what the first wrote.
  return withMachineLock(`config:${realPath(file.path)}`, () => setIn(file, context, root, change))
}

async function setIn(
  file: ConfigFile,
  context: AppContext,
  root: string | null,
  change: ConfigChange,
): Promise<ConfigChanged> {
  const before = readConfigFile(file)
  const key = keyIn(change, before, context, change.file === 'user' ? null : root)
  const value = change.values === null ? undefined : keepPrivate(key, valueOf(key, change.values), before)
  const after = before === null && value === undefined ? null : edited(before, file, key.path, value)
  const done = { file, key, value }
  if (after === null || after === before) return changeReport(context, root, done, false)
  validate(context, file, root, after)
  await write(file, root, after)
  await bringSchema(context, file.path)
  return changeReport(context, root, done, true)
}

function needed(root: string | null): string {
  if (root !== null) return root
  throw new LooperError('ENVIRONMENT_NOT_A_REPOSITORY', 'This folder is in no project.', {
    hint: 'Add --user to set it for all projects.',
  })
}

/** Any entry in the file can be removed, even one that is not a valid key. */
function keyIn(
  { key, values }: ConfigChange,
  before: string | null,
  { env, home }: AppContext,
  root: string | null,
): FoundKey {
  const present = before === null || before.trim() === '' ? {} : parsed(before)
  const path = key.split('.')
  if (values === null && valueAt(present, path) !== undefined) return { path, spec: { kind: 'object', fields: {} } }
  // A key may also use names that other files define. A broken file must not prevent this change, so it is ignored.
  return findKey(key, quietly(() => loadConfig({ root, env, home }).config) ?? present)
}

const parsed = (text: string): unknown => quietly(() => parseJsonc(text)) ?? {}

function quietly<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

function valueOf({ spec }: FoundKey, values: readonly string[]): unknown {
  const [only = ''] = values
  try {
    return values.length === 1 ? readText(spec, only) : readFlag(spec, values)
  } catch (error) {
    const why = messageOf(error)
    const hint = 'Quote it for the shell.'
    throw new LooperError('USAGE_ARGUMENTS', `the value is not valid JSON: ${why}`, { hint })
  }
}

/**
 * No command shows the variables of a check or a held-out check, so no one can repeat them: a list with JSON objects
 * keeps those of the file and adds its own. Empty ones remove them.
 */
function keepPrivate({ path }: FoundKey, value: unknown, before: string | null): unknown {
  if (path.join('.') !== 'checks' || !Array.isArray(value) || !value.some(isObject)) return value
  const present = before === null ? [] : valueAt(parsed(before), path)
  const old = (Array.isArray(present) ? present : []).filter(isObject)
  const named = (name: unknown) => (check: unknown) => isObject(check) && check['name'] === name
  const kept = value.map((check: unknown) => {
    const before = isObject(check) ? old.find(named(check['name'])) : undefined
    return isObject(check) && before ? withVariables(before, check) : check
  })
  return [...kept, ...old.filter(({ hidden, name }) => hidden === true && !value.some(named(name)))]
}

function withVariables(before: Record<string, unknown>, check: Record<string, unknown>): Record<string, unknown> {
  const { env, pass } = before
  const [ownEnv, ownPass] = [check['env'] ?? env, check['pass'] ?? pass]
  const isMore = isObject(ownEnv) && isObject(env) && Object.keys(ownEnv).length > 0
  const passed = Array.isArray(ownPass) && Array.isArray(pass) && ownPass.length > 0 ? [...pass, ...ownPass] : ownPass
  return {
    ...check,
    ...(ownEnv === undefined ? {} : { env: isMore ? { ...env, ...ownEnv } : ownEnv }),
    ...(passed === undefined ? {} : { pass: Array.isArray(passed) ? [...new Set(passed)] : passed }),
  }
}

function edited(before: string | null, file: ConfigFile, path: readonly string[], value: unknown): string {
  return editConfig(before ?? `{\n  "$schema": ${JSON.stringify(schemaReference)}\n}\n`, file, path, value)
}

/** The user's file must be valid alone; the project's file must be valid together with the user's. */
function validate({ env, home }: AppContext, { name }: ConfigFile, root: string | null, text: string): void {
  try {
    loadConfig({ root: name === 'user' ? null : root, env, home, texts: { [name]: text } })
  } catch (error) {
    if (!(error instanceof LooperError)) throw error
    throw new LooperError(error.code, error.message, {
      hint: 'Nothing was written.',
      cause: error,
      details: error.details,
    })
  }
}

/** Follows a link; keeps the byte order mark and the permissions. */
async function write({ name, path }: ConfigFile, root: string | null, text: string): Promise<void> {
  try {
    if (name === 'project' && root !== null) await ensureLooperFolder(root)
    else await mkdir(dirname(path), { recursive: true })
    const target = (await whenExists(realpath(path), path)) ?? path
    const before = await readIfExists(target)
    const mark = before?.subarray(0, 3).toString('hex') === 'efbbbf' ? '\uFEFF' : ''
    await writeAtomic(target, mark + text, before === null ? {} : { mode: (await stat(target)).mode & 0o777 })
  } catch (error) {
    throw ioError(error, join(path))
  }
}

interface Done {
  file: ConfigFile
  key: FoundKey
  value: unknown
}

function changeReport(
  { env, home }: AppContext,
  root: string | null,
  { file, key: { path, spec }, value }: Done,
  changed: boolean,
): ConfigChanged {
  const { sources, warnings } = loadConfig({ root, env, home })
  const key = path.join('.')
  const source = sources[key]?.source
  const own =
    source === undefined || source.startsWith(`${file.name} (`) || (value === undefined && source === 'default')
  const notes = own || value === undefined ? [] : [`${source} overrides it`]
  return {
    key,
    where: file.where,
    path: file.path,
    value: masked(spec, value),
    changed,
    notes: [...notes, ...warnings],
  }
}
