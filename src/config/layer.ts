/**
 * A layer is one source of configuration with its values. A file is one layer; each variable and each flag is a layer
 * of its own.
 */
import { JsonProblem } from '../platform/jsonc.ts'
import { settingsSpec, type Key } from './keys.ts'
import { invalid, problemError, type Origin } from './problem.ts'
import { isObject } from '../model/object.ts'
import { findProblem } from './validate.ts'

export interface Layer extends Origin {
  /** The source as shown by `looper config`. */
  source: string
  value: Record<string, unknown>
  /** The key that it sets, when it comes from the name of another tool. */
  path?: readonly string[]
}

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The layers and warnings of one source. */
export interface Said {
  layers: Layer[]
  warnings: string[]
}

/** Whether a value contains something at or below a path. */
export function holds(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  return isObject(value) && Object.hasOwn(value, name) && holds(value[name], rest)
}

/** Creates a layer with a single key. Throws CONFIG_INVALID when the value from `read` does not fit the key. */
export function singleLayer(source: string, origin: Origin, key: Pick<Key, 'path'>, read: () => unknown): Layer {
  const value = nest(key.path, reading(read, origin))
  const problem = findProblem(settingsSpec, value)
  // A required sibling that is missing may be set in another layer.
  const beside = problem?.kind === 'missing' && problem.path.length <= key.path.length
  if (problem !== null && !beside) throw problemError(origin, problem)
  return { ...origin, source, value }
}

function reading(read: () => unknown, origin: Origin): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonProblem)
      throw invalid(origin, `not valid JSON at ${error.line}:${error.column}: ${error.message}`)
    throw error
  }
}

function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path
  return { [name]: rest.length === 0 ? value : nest(rest, value) }
}
