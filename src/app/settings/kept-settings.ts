/**
 * The settings that a run keeps from its start: later edits of the files, for example by an agent, do not change them.
 */
import { createHash } from 'node:crypto'
import type { Config, KeptSettings, RunConfig } from '../../model/config.ts'

/** Keys that are read again at each resume: how to start agents, what to hide, whom to notify. */
export const readAgain: ReadonlySet<string> = new Set([
  'activity',
  'agents',
  'notify',
  'onHangup',
  'sandboxAllow',
  'secrets',
])

/** A hash of each kept setting in the files and the environment, so that a later edit can be reported by its key. */
export function fingerprints(config: Config): Record<string, string> {
  const { env: _env, pass: _pass, ...workspace } = config.workspace
  const checks = config.checks && config.checks.map(({ env: _own, pass: _passed, ...check }) => check)
  const own = Object.entries({ ...config, checks, workspace })
    .filter(([key]) => !readAgain.has(key))
    .flatMap(([key, value]) => leaves(key, value))
  return Object.fromEntries(own.map(([key, value]) => [key, hash(JSON.stringify(value) ?? '')]))
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

export const leaves = (key: string, value: unknown): [key: string, value: unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([name, inner]): [string, unknown] => [`${key}.${name}`, inner])
    : [[key, value]]

/** Keys whose values in the files have changed since the run started; none for runs of older versions. */
export function editedSince({ files = {} }: RunConfig, now: Config): string[] {
  const today = fingerprints(now)
  return Object.keys(files).filter((key) => today[key] !== undefined && today[key] !== files[key])
}

export const keptOf = ({ workspace: { setup, copy }, hooks }: RunConfig): KeptSettings => ({ setup, copy, hooks })

/** Keys that decide whether the checks can run on the base. */
const preflightKeys = ['checks', 'baseline', 'workspace.setup', 'workspace.copy'] as const

const commandsOf = ({ checks }: RunConfig): string => JSON.stringify(checks.map(({ name, run }) => [name, run]))

/** A person's corrections of a run that has not passed its preflight. */
export interface Corrected {
  keys: string[]
  settings: Partial<KeptSettings>
  /** The new fingerprints of these keys. */
  files: Record<string, string>
}

/**
 * The settings of the preflight that a person changed in the files since the run started. Others stay: they may come
 * from options of the command line, unless the person asks for the files' (`all`). `now`: what a run that starts now
 * would use. Null when none changed.
 */
export function correctedSettings(config: RunConfig, written: Config, now: RunConfig, all = false): Corrected | null {
  const edited = new Set(editedSince(config, written))
  const isOther: Partial<Record<string, boolean>> = {
    checks: commandsOf(config) !== commandsOf(now),
    baseline: config.baseline !== now.baseline,
  }
  const keys = preflightKeys.filter((key) => edited.has(key) || (all && isOther[key] === true))
  if (keys.length === 0) return null
  const today = fingerprints(written)
  const { checks, baseline } = now
  const { setup, copy } = now.workspace
  const values = { checks: { checks }, baseline: baseline ? { baseline } : {} }
  const byKey = { ...values, 'workspace.setup': { setup }, 'workspace.copy': { copy } }
  return {
    keys,
    settings: Object.assign({}, ...keys.map((key) => byKey[key])),
    files: Object.fromEntries(keys.map((key) => [key, today[key] ?? ''])),
  }
}
