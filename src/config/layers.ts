/** Puts the configuration together, defaults → user → project → environment → flags, and remembers where each value came from. */
import { availableParallelism } from 'node:os'
import type { Config } from '../model/config.ts'
import { nameChecks } from './check-names.ts'
import { environmentLayers, unknownVariables } from './environment.ts'
import type { Environment } from './environment.ts'
import { projectLayer, userLayer } from './file.ts'
import { flagLayers } from './flags.ts'
import { settingsSpec } from './keys.ts'
import type { Settings } from './keys.ts'
import type { Layer } from './layer.ts'
import { defaultsLayer, memberSpec, mergeLayers } from './merge.ts'
import { checkRules, ruleWarnings } from './rules.ts'
import type { Spec } from './spec.ts'
import { isObject } from './validate.ts'

export interface ConfigInput {
  /** The repository; null when there is none, and so no project file. */
  root: string | null
  env: Environment
  /** By dotted key; undefined means not given. */
  flags?: Readonly<Record<string, unknown>>
  home: string
}

export interface Sourced {
  value: unknown
  source: string
}

export interface LoadedConfig {
  config: Config
  /** Every value by its dotted key, in the order of the table. */
  sources: Record<string, Sourced>
  warnings: string[]
}

/** Throws CONFIG_INVALID or CONFIG_UNKNOWN_AGENT, with one line that names the place and the key. */
export function loadConfig({ root, env, flags = {}, home }: ConfigInput): LoadedConfig {
  const layers = [
    defaultsLayer(), ...userLayer(env, home), ...(root === null ? [] : projectLayer(root)), ...environmentLayers(env), ...flagLayers(flags),
  ]
  const layerOf = (path: readonly string[]): Layer => topmost(layers, path)
  const config = resolve(mergeLayers(layers), (...path) => layerOf(path).source !== 'default')
  checkRules(config, layerOf)
  const sources = leaves(settingsSpec, config, []).map(([path, value]): [string, Sourced] =>
    [path.join('.'), { value, source: layerOf(path).source }])
  return { config, sources: Object.fromEntries(sources), warnings: [...unknownVariables(env), ...ruleWarnings(config, layerOf)] }
}

/** Defaults that depend on other settings or on the machine. */
function resolve(settings: Settings, isSet: (...path: string[]) => boolean): Config {
  const { workspace, thresholds } = settings
  const revise = isSet('thresholds', 'revise') ? thresholds.revise : Math.min(thresholds.revise, thresholds.approve)
  const inPlace = workspace.mode === 'in-place'
  return {
    ...settings,
    parallel: inPlace && !isSet('parallel') ? 1 : settings.parallel,
    checksParallel: settings.checksParallel ?? availableParallelism(),
    workspace: { ...workspace, commit: workspace.commit ?? !inPlace },
    checks: settings.checks && nameChecks(settings.checks),
    thresholds: { ...thresholds, revise },
  }
}

/** The last layer that says something at or below a path. */
function topmost(layers: readonly Layer[], path: readonly string[]): Layer {
  return layers.findLast((layer) => holds(layer.value, path)) ?? defaultsLayer()
}

function holds(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  return isObject(value) && Object.hasOwn(value, name) && holds(value[name], rest)
}

/** Values that are no objects, or objects with nothing in them. */
function leaves(spec: Spec, value: unknown, path: readonly string[]): [path: string[], value: unknown][] {
  const members = isObject(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : []
  if (members.length === 0) return [[[...path], value]]
  return members.flatMap(([name, member]) => {
    const inner = memberSpec(spec, name)
    return inner === undefined ? [] : leaves(inner, member, [...path, name])
  })
}
