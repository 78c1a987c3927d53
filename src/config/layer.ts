/**
 * One place that configuration comes from, with what it says. Files are whole layers; each variable and each flag is
 * one of its own.
 */
import { JsonProblem } from '../platform/jsonc.ts'
import { settingsSpec, type Key } from './keys.ts'
import { invalid, problemError, type Origin } from './problem.ts'
import { isObject } from '../model/object.ts'
import { findProblem } from './validate.ts'

export interface Layer extends Origin {
  /** As shown by `looper config`. */
  source: string
  value: Record<string, unknown>
  /** What it is about, when it says one thing under another tool's name. */
  path?: readonly string[]
}

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What one place has to say. */
export interface Said {
  layers: Layer[]
  warnings: string[]
}

/** Whether a value says something at or below a path. */
export function holds(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  return isObject(value) && Object.hasOwn(value, name) && holds(value[name], rest)
}

/** A layer that says one thing. Throws CONFIG_INVALID when what `read` yields does not fit the key. */
export function singleLayer(source: string, origin: Origin, key: Pick<Key, 'path'>, read: () => unknown): Layer {
  const value = nest(key.path, reading(read, origin))
  const problem = findProblem(settingsSpec, value)
  // What is missing beside it may be in other layers.
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
