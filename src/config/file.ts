/**
 * Reads a configuration file. A missing file is empty; any other file that is not valid is an error with its position.
 */
import { readFileSync, statSync } from 'node:fs'
import { LooperError } from '../model/error.ts'
import { errnoOf } from '../platform/files.ts'
import { JsonProblem, parseJsonc } from '../platform/jsonc.ts'
import { editJsonc } from './jsonc-edit.ts'
import { settingsSpec } from './keys.ts'
import type { Layer, Said } from './layer.ts'
import type { ConfigFile } from './config-files.ts'
import { invalid, problemError } from './problem.ts'
import type { Origin } from './problem.ts'
import { isObject } from '../model/object.ts'
import { contradictions, translateFile } from './translate.ts'
import { findProblem } from './validate.ts'

const maxBytes = 1024 * 1024

/** Returns the layers of a file, or of `text` instead. A missing file has none. */
export function fileLayers(file: ConfigFile, text: string | null = readConfigFile(file)): Said {
  if (text === null) return { layers: [], warnings: [] }
  const { name, where } = file
  const { rest, layers, warnings } = translateFile(readObject(text, file), file)
  const own: Layer = { where, source: `${name} (${where})`, value: checked(rest, file) }
  return { layers: [...layers, own], warnings: [...warnings, ...contradictions(layers, [own])] }
}

/** Returns null when the file does not exist. */
export function readConfigFile({ path, where }: Pick<ConfigFile, 'path' | 'where'>): string | null {
  const origin: Origin = { where }
  try {
    const facts = statSync(path)
    // Reading a pipe or a device could block forever.
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

/** Parses settings that use only Looper's own names. */
export const parseConfig = (text: string, origin: Origin): Record<string, unknown> =>
  checked(readObject(text, origin), origin)

/** An empty file is allowed. `$schema` is for editors. */
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

/** Allows comments and trailing commas. Throws CONFIG_INVALID with the position of an error. */
export const parseJson = (text: string, origin: Origin): unknown => located(origin, () => parseJsonc(text))

/** Returns the text with one value set, or removed when it is undefined; everything else stays as written. */
export const editConfig = (text: string, origin: Origin, path: readonly string[], value: unknown): string =>
  located(origin, () => editJsonc(text, path, value))

/** Adds the position in the file to an error. */
function located<T>(origin: Origin, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonProblem)
      throw invalid({ ...origin, where: `${origin.where}:${error.line}:${error.column}` }, error.message)
    throw error
  }
}
