/** Everything that a surface can ask of Looper. main.ts implements it; every function may throw a LooperError. */
import type { Event } from '../model/event.ts'
import type { Backlogs } from './backlog.ts'
import type { Control } from './control.ts'
import type { Following } from './follow.ts'
import type { Pipelines } from './pipelines.ts'
import type { Publish } from './publish.ts'
import type { Release } from './release.ts'
import type { Review } from './review.ts'
import type { Finished, Observer, Runs } from './runs.ts'
import type { ConfigFiles, SettingFlags } from './settings.ts'
import type { Upkeep } from './upkeep.ts'

/** Looper in one repository. */
export interface RepositoryApp
  extends Runs, Following, Control, Review, Publish, Backlogs, Pipelines, ConfigFiles, Upkeep, Release {}

/** Looper in this process; it serves any number of repositories. */
export interface App {
  version: string
  /**
   * Looper in the repository around that folder, which relative paths start from. Reads nothing yet: a function that
   * needs a repository throws ENVIRONMENT_NOT_A_REPOSITORY when there is none.
   */
  at(folder: string): RepositoryApp
  /**
   * Throws USAGE_NESTED in a process of a run. Functions that change something call it themselves; a surface calls it
   * before it asks the user anything.
   */
  refuseInside(): Promise<void>
  /** The options that set keys of the configuration. */
  settingFlags(): Promise<SettingFlags>
  /** Every type of event in a journal. */
  eventTypes(): Promise<readonly string[]>
  /** Encodes an event as its line in the journal, without the line end. */
  eventEncoder(): Promise<(event: Event) => string>
  /** Runs the demo in a new repository. */
  demo(
    observer: Observer & { onRepository(path: string, goal: string): void },
  ): Promise<Finished & { repository: string }>
}
