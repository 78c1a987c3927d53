/** Configuration from variables: every key has one, `LOOPER_LIMITS_TIME_MINUTES` for `limits.timeMinutes`. */
import { keys } from './keys.ts'
import { singleLayer } from './layer.ts'
import type { Layer } from './layer.ts'
import { nearest } from '../views/nearest.ts'
import { meant } from './problem.ts'
import { quote } from '../platform/quote.ts'
import { readText } from './text-value.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const prefix = 'LOOPER_'
const hint = 'Change or unset the variable; `looper config` shows what is in force.'
/** Looper's own variables: they speak to agents and to inner Loopers, and configure nothing. */
const reserved = new Set([
  'RUN', 'TASK', 'ROLE', 'PURPOSE', 'TURN', 'ATTEMPT', 'RESULT_FILE', 'RESULT_SCHEMA', 'INSIDE', 'MARK', 'SESSION', 'STAGE',
].map((name) => prefix + name))

/** A variable that is empty is not set. Groups come first, so that `LOOPER_LIMITS_TURNS` beats `LOOPER_LIMITS`. */
export function environmentLayers(env: Environment): Layer[] {
  return keys.flatMap((key): Layer[] => {
    const text = env[key.env]
    if (text === undefined || text.trim() === '') return []
    return [singleLayer(`env ${key.env}`, { where: key.env, hint }, key, () => readText(key.spec, text))]
  })
}

/** Variables that look like ours and are not: probably a slip, but perhaps another program's. */
export function unknownVariables(env: Environment): string[] {
  const known = new Set(keys.map((key) => key.env))
  return Object.keys(env).filter((name) => name.startsWith(prefix) && !known.has(name) && !reserved.has(name)).map((name) => {
    const close = nearest(name.slice(prefix.length), [...known].map((each) => each.slice(prefix.length)))
    return `${quote(name)} is not a variable of Looper's${meant(close === null ? null : prefix + close)}`
  })
}
