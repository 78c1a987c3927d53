/**
 * Reads a configuration file: absent is nothing, anything else that is not a valid configuration is an error that says
 * where.
 */
import { readFileSync, statSync } from 'node:fs'
import { LooperError } from '../model/error.ts'
import { errnoOf } from '../platform/files.ts'
import { JsonProblem, parseJsonc } from '../platform/jsonc.ts'
import { editJsonc } from './jsonc-edit.ts'
import { settingsSpec } from './keys.ts'
import type { Layer, Said } from './layer.ts'
import type { ConfigFile } from './places.ts'
import { invalid, problemError } from './problem.ts'
import type { Origin } from './problem.ts'
import { isObject } from '../model/object.ts'
import { contradictions, translateFile } from './translate.ts'
import { findProblem } from './validate.ts'

const maxBytes = 1024 * 1024

/** What a file says; its content may be given instead of read. A file that is absent says nothing. */
export function fileLayers(file: ConfigFile, text: string | null = readConfigFile(file)): Said {
  if (text === null) return { layers: [], warnings: [] }
  const { name, where } = file
  const { rest, layers, warnings } = translateFile(readObject(text, file), file)
  const own: Layer = { where, source: `${name} (${where})`, value: checked(rest, file) }
  return { layers: [...layers, own], warnings: [...warnings, ...contradictions(layers, [own])] }
}

/** Null when there is none. */
export function readConfigFile({ path, where }: Pick<ConfigFile, 'path' | 'where'>): string | null {
  const origin: Origin = { where }
  try {
    const facts = statSync(path)
    // A pipe or a device would keep us waiting for ever.
    if (!facts.isFile())
      throw invalid(origin, facts.isDirectory() ? 'is a folder, not a file' : 'is not a regular file')
    if (facts.size > maxBytes) throw invalid(origin, `is larger than ${maxBytes / 1024 / 1024} MB`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    const errno = errnoOf(error)
    if (error instanceof LooperError) throw error
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null
    if (errno === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw invalid(origin, 'is not UTF-8')
    throw invalid(origin, `cannot be read (${errno ?? String(error)})`)
  }
}

/** The settings that a text holds, in Looper's own names. */
export const parseConfig = (text: string, origin: Origin): Record<string, unknown> =>
  checked(readObject(text, origin), origin)

/** An empty file says nothing, which is allowed. `$schema` is for editors. */
function readObject(text: string, origin: Origin): Record<string, unknown> {
  const value = text.trim() === '' ? {} : parseJson(text, origin)
  if (!isObject(value)) throw invalid(origin, 'must hold an object: { … }')
  const { $schema, ...rest } = value
  if ($schema !== undefined && typeof $schema !== 'string') throw invalid(origin, '"$schema" must be a text')
  return rest
}

function checked(value: Record<string, unknown>, origin: Origin): Record<string, unknown> {
  const problem = findProblem(settingsSpec, value)
  if (problem !== null) throw problemError(origin, problem)
  return value
}

/** Comments and trailing commas are allowed. Throws CONFIG_INVALID with the place of a mistake. */
export const parseJson = (text: string, origin: Origin): unknown => located(origin, () => parseJsonc(text))

/** The content of a file with one value set, or taken out when it is undefined; the rest stays as people wrote it. */
export const editConfig = (text: string, origin: Origin, path: readonly string[], value: unknown): string =>
  located(origin, () => editJsonc(text, path, value))

/** What is wrong with a text is told with its place in the file. */
function located<T>(origin: Origin, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonProblem)
      throw invalid({ ...origin, where: `${origin.where}:${error.line}:${error.column}` }, error.message)
    throw error
  }
}
