/** The configuration: reading, changing and creating it, and the options that set it for one command. */
import type { Limits } from '../model/config.ts'
import type { SettingFlag } from '../model/setting-flag.ts'

export type { SettingFlag }

/** Configuration given as flags, by dotted key: `{ 'limits.costUsd': 5 }`. */
export type Flags = Record<string, unknown>

export type Settings = Record<string, { value: unknown; source: string }>

export interface ConfigFileInfo {
  name: 'user' | 'project'
  path: string
  exists: boolean
}

export interface ConfigChange {
  key: string
  /** As typed; null removes the key. */
  values: readonly string[] | null
  file: 'user' | 'project'
}

export interface ConfigChanged {
  key: string
  path: string
  /** The path for display. */
  where: string
  /** Undefined when the key was removed; masked when it is secret. */
  value: unknown
  changed: boolean
  notes: string[]
}

export interface SettingFlags {
  table: readonly SettingFlag[]
  /** Throws CONFIG_INVALID, naming the flag, for a value of the wrong kind. Returns the limits among the flags. */
  read(flags: Flags): Partial<Limits>
}

export interface Initialized {
  path: string
  created: boolean
  notes: string[]
  /** What keeps a run from starting; null when nothing does. */
  problem: { message: string; hint: string } | null
}

export interface ConfigFiles {
  config(flags: Flags): Promise<{ settings: Settings; warnings: string[] }>
  /** Undefined when the key is not set. Throws USAGE_ARGUMENTS when there is no such key. */
  configGet(key: string): Promise<unknown>
  /** Throws CONFIG_* when the result would not be valid; then nothing is written. */
  configSet(change: ConfigChange): Promise<ConfigChanged>
  configPath(): Promise<ConfigFileInfo[]>
  /** Writes .looper/config.json for the repository; never over an existing one. */
  init(): Promise<Initialized>
}
