/** Merges the configuration, defaults → user → project → environment → flags, and records the source of each value. */
import { availableParallelism } from 'node:os'
import type { CheckConfig, Config } from '../model/config.ts'
import { nameChecks } from './check-names.ts'
import { environmentLayers } from './environment.ts'
import { holds, type Environment, type Layer } from './layer.ts'
import { fileLayers } from './file.ts'
import { flagLayers } from './flags.ts'
import { readHiddenChecks } from './hidden-checks.ts'
import { settingsSpec, type Settings } from './keys.ts'
import { leaves } from './leaves.ts'
import { defaultsLayer, mergeLayers } from './merge.ts'
import { projectFile, userFile } from './config-files.ts'
import { problemError } from './problem.ts'
import { checkRules, ruleWarnings } from './rules.ts'
import { findProblem } from './validate.ts'

export interface ConfigInput {
  /** The repository; null when there is none, and so no project file. */
  root: string | null
  env: Environment
  /** Keyed by dotted key; undefined means not given. */
  flags?: Readonly<Record<string, unknown>>
  home: string
  /** Contents to use instead of the files, before they are written. */
  texts?: { user?: string; project?: string }
}

export interface Sourced {
  value: unknown
  source: string
}

export interface LoadedConfig {
  config: Config
  /** Checks of the hidden-checks file, which no workspace contains. */
  hiddenChecks: CheckConfig[]
  /** Every value by its dotted key, in the order of the table. */
  sources: Record<string, Sourced>
  warnings: string[]
}

/** Throws CONFIG_INVALID or CONFIG_UNKNOWN_AGENT, with one line that names the source and the key. */
export function loadConfig({ root, env, flags = {}, home, texts = {} }: ConfigInput): LoadedConfig {
  const files = [
    fileLayers(userFile(env, home), texts.user),
    ...(root === null ? [] : [fileLayers(projectFile(root), texts.project)]),
  ]
  const below = [defaultsLayer(), ...files.flatMap((said) => said.layers)]
  const variables = environmentLayers(env, below)
  const layers = [...below, ...variables.layers, ...flagLayers(flags)]
  const layerOf = (path: readonly string[]): Layer => topmost(layers, path)
  const merged = mergeLayers(layers)
  const problem = findProblem(settingsSpec, merged)
  if (problem !== null) throw problemError(layerOf(problem.path.slice(0, -1).map(String)), problem)
  const config = resolve(merged, (...path) => layerOf(path).source !== 'default')
  checkRules(config, layerOf)
  const sources = leaves(settingsSpec, config, []).map(([path, value]): [string, Sourced] => [
    path.join('.'),
    { value, source: layerOf(path).source },
  ])
  const said = [...files, variables].flatMap(({ warnings }) => warnings)
  return {
    config,
    hiddenChecks: readHiddenChecks(root, config.checks ?? []),
    sources: Object.fromEntries(sources),
    warnings: [...said, ...ruleWarnings(config, layerOf)],
  }
}

/** Applies defaults that depend on other settings or on the machine. */
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

/** Returns the last layer that sets something at or below a path. */
function topmost(layers: readonly Layer[], path: readonly string[]): Layer {
  return layers.findLast((layer) => holds(layer.value, path)) ?? defaultsLayer()
}
