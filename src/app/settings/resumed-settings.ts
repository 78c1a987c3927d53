/**
 * Which settings a resumed run uses: its own; those of the files where the person says so (`--settings`); and, before
 * its first task, a person's corrections of what the checks on the base need.
 */
import { hasBegun } from '../../core/tasks/has-begun.ts'
import type { Config, KeptSettings, RunConfig } from '../../model/config.ts'
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { mayBeByAgent, type Recorded } from './changed-settings.ts'
import { correctedSettings, editedSince, keptOf } from './kept-settings.ts'
import { correctedNotes, keptNotes } from './setting-notes.ts'

interface Now {
  /** What the files say. */
  written: Config
  /** What a run that starts now would use. */
  effective: RunConfig
}

export interface ResumedSettings {
  kept: KeptSettings
  /** For the journal; absent when the run keeps all of its own. */
  settings?: Event<'run.resumed'>['settings']
  warnings: string[]
  /** What the person has chosen, so it is no warning. */
  notes: string[]
}

/** `isAccepted`: the person asks for the settings as they are now. */
export function resumedSettings(
  recorded: Recorded & { state: RunState },
  { written, effective }: Now,
  isAccepted: boolean,
): ResumedSettings {
  const { state } = recorded
  const { config, run } = state
  const corrected =
    hasBegun(state) || (!isAccepted && mayBeByAgent(recorded))
      ? null
      : correctedSettings(config, written, effective, isAccepted)
  const taken = Object.keys(corrected?.settings ?? {})
  const edited = isAccepted ? [] : editedSince(config, written).filter((key) => !corrected?.keys.includes(key))
  const said = { warnings: keptNotes(edited, run), notes: isAccepted ? [] : correctedNotes(corrected?.keys ?? []) }
  if (taken.length === 0 && !isAccepted) return { kept: keptOf(config), ...said }
  const kept = { ...keptOf(isAccepted ? effective : config), ...corrected?.settings }
  const files = isAccepted ? (effective.files ?? {}) : { ...config.files, ...corrected?.files }
  return { kept, settings: { ...kept, files }, ...said }
}
