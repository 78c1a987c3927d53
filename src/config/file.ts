/** Reads a configuration file: absent is nothing, anything else that is not a valid configuration is an error that says where. */
import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { LooperError } from '../model/error.ts'
import { errnoOf } from '../platform/files.ts'
import type { Environment } from './environment.ts'
import { JsonProblem, parseJsonc } from '../platform/jsonc.ts'
import { settingsSpec } from './keys.ts'
import type { Layer } from './layer.ts'
import { invalid, problemError } from './problem.ts'
import type { Origin } from './problem.ts'
import { findProblem, isObject } from './validate.ts'

const maxBytes = 1024 * 1024

export function userLayer(env: Environment, home: string): Layer[] {
  const xdg = env['XDG_CONFIG_HOME']
  const path = join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), 'looper', 'config.json')
  const below = relative(home, path)
  return fileLayer('user', path, below.startsWith('..') || isAbsolute(below) ? path : join('~', below))
}

export const projectLayer = (root: string): Layer[] =>
  fileLayer('project', join(root, '.looper', 'config.json'), join('.looper', 'config.json'))

function fileLayer(name: string, path: string, where: string): Layer[] {
  const text = readConfigFile(path, { where })
  return text === null ? [] : [{ where, source: `${name} (${where})`, value: parseConfig(text, { where }) }]
}

function readConfigFile(path: string, origin: Origin): string | null {
  try {
    const facts = statSync(path)
    // A pipe or a device would keep us waiting for ever.
    if (!facts.isFile()) throw invalid(origin, facts.isDirectory() ? 'is a folder, not a file' : 'is not a regular file')
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

/** An empty file says nothing, which is allowed. `$schema` is for editors. */
export function parseConfig(text: string, origin: Origin): Record<string, unknown> {
  const value = text.trim() === '' ? {} : parsing(text, origin)
  if (!isObject(value)) throw invalid(origin, 'must hold an object: { … }')
  const { $schema, ...rest } = value
  const problem = findProblem(settingsSpec, rest)
  if (problem !== null) throw problemError(origin, problem)
  if ($schema !== undefined && typeof $schema !== 'string') throw invalid(origin, '"$schema" must be a text')
  return rest
}

function parsing(text: string, origin: Origin): unknown {
  try {
    return parseJsonc(text)
  } catch (error) {
    if (error instanceof JsonProblem) throw invalid({ ...origin, where: `${origin.where}:${error.line}:${error.column}` }, error.message)
    throw error
  }
}
