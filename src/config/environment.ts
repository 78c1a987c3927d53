/** Reads configuration from environment variables: `LOOPER_LIMITS_TIME_MINUTES` sets `limits.timeMinutes`. */
import { keys, openKeys } from './keys.ts'
import { builtInAgents } from './keys/agents.ts'
import { singleLayer, type Environment, type Layer, type Said } from './layer.ts'
import { mergeLayers } from './merge.ts'
import { nearest } from '../views/text/nearest.ts'
import { readOpenVariable, spelled, type NamesAt } from './open-variable.ts'
import { meant } from './problem.ts'
import { quote } from '../platform/quote.ts'
import { readText } from './text-value.ts'
import { contradictions, translateVariables } from './translate.ts'
import { isObject } from '../model/object.ts'
import { valueAt } from './validate.ts'

const prefix = 'LOOPER_'
const hint = 'Change or unset the variable.'
/** Variables that Looper itself sets for agents and nested Loopers; they configure nothing. */
const reserved = new Set(
  [
    'RUN',
    'TASK',
    'ROLE',
    'PURPOSE',
    'TURN',
    'ATTEMPT',
    'RESULT_FILE',
    'RESULT_SCHEMA',
    'INSIDE',
    'MARK',
    'MODEL',
    'AGENT_SESSION',
    'SESSION',
    'STAGE',
    'HOOK_NAME',
    'BWRAP',
    'SLOT',
    'PORT_BASE',
  ].map((name) => prefix + name),
)
const fixed = new Set(keys.map(({ env }) => env))

/**
 * An empty variable counts as not set. Groups come first, so that `LOOPER_LIMITS_TURNS` overrides `LOOPER_LIMITS`.
 * `below`: the layers under these, which define the names of agents.
 */
export function environmentLayers(given: Environment, below: readonly Layer[] = []): Said {
  const { rest, layers, warnings } = translateVariables(given)
  const own = ownLayers(rest, [...below, ...layers])
  const used = new Set(own.map(({ where }) => where))
  return {
    layers: [...layers, ...own],
    warnings: [...warnings, ...contradictions(layers, own), ...unknownVariables(rest, used)],
  }
}

function ownLayers(env: Environment, below: readonly Layer[]): Layer[] {
  const ofKeys = keys.flatMap((key): Layer[] => {
    const text = textOf(env, key.env)
    return text === null
      ? []
      : [singleLayer(`env ${key.env}`, { where: key.env, hint }, key, () => readText(key.spec, text))]
  })
  return [...ofKeys, ...openLayers(env, [...below, ...ofKeys])]
}

/** Returns null when the variable is not set or empty. */
function textOf(env: Environment, name: string): string | null {
  const text = env[name]
  return text === undefined || text.trim() === '' ? null : text
}

function openLayers(env: Environment, below: readonly Layer[]): Layer[] {
  const namesAt = namesIn(below)
  const found = Object.keys(env).flatMap((name) => {
    const text = isCandidate(name) ? textOf(env, name) : null
    const key = text === null ? null : readOpenVariable(name, text, namesAt)
    return text === null || key === null ? [] : [{ name, text, key }]
  })
  return found
    .toSorted((a, b) => a.key.path.length - b.key.path.length)
    .map(({ name, text, key }) =>
      singleLayer(`env ${name}`, { where: name, hint }, key, () => readText(key.spec, text)),
    )
}

const isCandidate = (name: string): boolean => name.startsWith(prefix) && !fixed.has(name) && !reserved.has(name)

/** Built-in agents exist without being configured. */
function namesIn(layers: readonly Layer[]): NamesAt {
  const merged = mergeLayers(layers)
  return (path) => {
    const value = valueAt(merged, path)
    return [...new Set([...(path.length === 1 ? builtInAgents : []), ...(isObject(value) ? Object.keys(value) : [])])]
  }
}

const examples = openKeys
  .flatMap(({ env }) => builtInAgents.map((agent) => env.replace('*', spelled(agent))))
  .filter((env) => !env.includes('*'))

/** Warns of variables with the prefix of Looper that match no key: probably a typo, but possibly of another program. */
function unknownVariables(env: Environment, used: ReadonlySet<string>): string[] {
  return Object.keys(env)
    .filter((name) => isCandidate(name) && !used.has(name))
    .map((name) => {
      const close = nearest(
        name.slice(prefix.length),
        [...fixed, ...examples].map((each) => each.slice(prefix.length)),
      )
      return `${quote(name)} is not a variable of Looper's${meant(close === null ? null : prefix + close)}`
    })
}
