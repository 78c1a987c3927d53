/**
 * Finds settings that changed while a run without a sandbox was under way: an agent may have changed them, so a later
 * stretch must not read them without a person's consent. A change while the run rests is a person's.
 */
import { loadConfig } from '../../config/layers.ts'
import { firstNames } from '../../model/and-more.ts'
import type { ReadSettings } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { AppContext } from '../context.ts'
import { promptsFolder, readSettings } from './read-settings.ts'

/** What the journal says about the last stretch of a run. */
export interface Stretch {
  /** What it read at its start; null in a sandbox and in runs of older versions. */
  read: ReadSettings | null
  /** Files that changed outside the workspaces while it was under way. */
  touched: Set<string>
  /** Further files changed that the journal does not name. */
  hasMore: boolean
}

/** `follow` must be called with every event. */
export function createStretch(): { stretch: Stretch; follow(event: Event): void } {
  const stretch: Stretch = { read: null, touched: new Set(), hasMore: false }
  return {
    stretch,
    follow(event) {
      if (event.type === 'run.started' || event.type === 'run.resumed' || event.type === 'run.forked')
        Object.assign(stretch, { read: event.read ?? null, touched: new Set(), hasMore: false })
      if (event.type === 'outside.changed') {
        for (const path of event.paths) stretch.touched.add(path)
        stretch.hasMore ||= event.more > 0
      }
    },
  }
}

export interface Recorded {
  state: Pick<RunState, 'status' | 'config'>
  stretch: Stretch
}

/** The changed files with their changed keys, as text. Settings that the run keeps from its start do not count. */
export function changedSettings({ state, stretch }: Recorded, now: ReadSettings): string[] {
  const { read, touched, hasMore } = stretch
  if (state.config.sandbox === 'os') return []
  if (read === null) return [...touched].filter((path) => isSettingsFile.test(path))
  // After a crash, no process compared the files any more.
  const isCrashed = state.status === 'running'
  const files = differing(read.files, now.files).filter((file) => isCrashed || hasMore || touched.has(file))
  const [prompts, configs] = [files.filter(isPrompt), files.filter((file) => !isPrompt(file))]
  const keys = configs.length === 0 ? [] : differing(read.keys, now.keys)
  return [...(keys.length === 0 ? [] : [`${configs.join(', ')} (${listed(keys)})`]), ...prompts]
}

/**
 * Whether an agent may have written the settings files since the run last started. In a sandbox it cannot; after a
 * crash, no process compared the files.
 */
export const mayBeByAgent = ({ state, stretch: { touched, hasMore } }: Recorded): boolean =>
  state.config.sandbox !== 'os'
  && (state.status === 'running' || hasMore || [...touched].some((path) => isSettingsFile.test(path)))

/** The keys and prompts that differ from what the last stretch read. */
export function readDifferently({ read }: Stretch, now: ReadSettings): string[] {
  if (read === null) return []
  return [...differing(read.keys, now.keys), ...differing(read.files, now.files).filter(isPrompt)]
}

const isPrompt = (file: string): boolean => file.startsWith(`${promptsFolder}/`)
const isSettingsFile = /^\.looper\/(?:(?:config|hidden-checks)\.json|prompts\/.*\.md)$|\/looper\/config\.json$/

const differing = (before: Record<string, string>, now: Record<string, string>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((key) => before[key] !== now[key])

const mostNamed = 20

export const listed = (names: readonly string[]): string => firstNames(names, mostNamed)

/** Throws CONFIG_CHANGED when settings changed while the run was under way. `command` uses them as they are now. */
export function refuseChanged(
  { env, home }: Pick<AppContext, 'env' | 'home'>,
  root: string,
  recorded: Recorded & { state: Pick<RunState, 'run'> },
  command: string,
): void {
  const { state } = recorded
  if (state.config.sandbox === 'os') return
  const now = readSettings({ root, env, home }, loadConfig({ root, env, home }))
  const changed = changedSettings(recorded, now)
  if (changed.length === 0) return
  const message = `${listed(changed.map((file) => plain(file, 200)))} changed while ${state.run} was under way`
  throw new LooperError('CONFIG_CHANGED', `${message}, possibly by an agent.`, {
    hint: `Undo the change, or use the settings as they are now: ${command}`,
  })
}
