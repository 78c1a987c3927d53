/**
 * What a run keeps of its configuration from its start: later edits of the files, by an agent for example, do not
 * change it.
 */
import { createHash } from 'node:crypto'
import type { Config, KeptSettings, RunConfig } from '../model/config.ts'

/** Keys that say how agents are started and what people are sent; these are read again at each resume. */
const readAgain: ReadonlySet<string> = new Set([
  'agent',
  'agents',
  'roles',
  'schedule',
  'rotation',
  'notify',
  'secrets',
])

/** A fingerprint of each setting as the files and the environment have it, so that a later edit can be named. */
export function fingerprints(config: Config): Record<string, string> {
  const own = Object.entries(config)
    .filter(([key]) => !readAgain.has(key))
    .flatMap(([key, value]) => leaves(key, value))
  return Object.fromEntries(own.map(([key, value]) => [key, hash(JSON.stringify(value) ?? '')]))
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const leaves = (key: string, value: unknown): [key: string, value: unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([name, inner]): [string, unknown] => [`${key}.${name}`, inner])
    : [[key, value]]

/** Keys whose values in the files are other ones than when the run began; none for runs of older versions. */
export function editedSince({ files = {} }: RunConfig, now: Config): string[] {
  const today = fingerprints(now)
  return Object.keys(files).filter((key) => today[key] !== undefined && today[key] !== files[key])
}

export const keptOf = ({ workspace: { setup, copy }, hooks }: RunConfig): KeptSettings => ({ setup, copy, hooks })
