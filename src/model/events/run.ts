/** Events about the run itself: its start, its stages, its end, and commands from people. */
import type { ApplyStyle, KeptSettings, Limits, ReadSettings, RunConfig } from '../config.ts'
import type { Pipeline } from '../loop.ts'
import type { Conclusion, PauseReason, StageName } from '../pause.ts'

export interface RunEvents {
  /** A run begins: its goal, its workflow, and the configuration it keeps. */
  'run.started': {
    /** The version of the journal's events. */
    version: number
    /** The version of Looper that started the run. */
    looper?: string
    run: string
    goal: string
    workflow: string
    stages: StageName[]
    config: RunConfig
    /** The commit the run starts from, and the branch that the user had checked out. */
    base: { commit: string; branch: string | null }
    branch: string
    /** The session name. Only one run with this name can be live. */
    session?: string
    /** The prompt for each task, instead of the built-in one. */
    prompt?: string
    /** The pipeline that the `loop` stage runs. */
    pipeline?: Pipeline
    /** What the run read from the settings files; absent in a sandbox, where agents cannot change them. */
    read?: ReadSettings
  }
  /**
   * The run continues on its own from here; all earlier events happened in another run. Work that was under way is
   * lost, and its cost belongs to the other run.
   */
  'run.forked': { from: { run: string; seq: number }; config: RunConfig; looper?: string; read?: ReadSettings }
  /** The run cannot continue until a person acts or a limit is raised. */
  'run.paused': { reason: PauseReason }
  /** The run continues; failed tasks get another chance. */
  'run.resumed': {
    limits: Partial<Limits>
    settings?: KeptSettings & { files: Record<string, string> }
    looper?: string
    read?: ReadSettings
  }
  /** The run ended. */
  'run.ended': { status: 'completed' | 'failed' | 'aborted'; reason: string | null }
  /** A person applied the run's changes. Their branch (null: no branch) is now at this commit. */
  'run.applied': {
    commit: string
    onto: string | null
    /** The commit of the run branch that was applied, and how; absent in older journals. */
    tip?: string
    style?: ApplyStyle
    /** Checks that were red on the result: the user applied it anyway. */
    red?: string[]
  }
  /** A person discarded the run's changes. `commit`: the last commit of the run branch, if it had one. */
  'run.discarded': { commit: string | null }
  /** A stage begins. The report stage carries the conclusion that the run will end with. */
  'stage.entered': { stage: StageName; conclusion: Conclusion | null }
  /** A person asks the run to pause after the current turns, to stop now, or to abort. */
  'stop.requested': {
    how: 'pause' | 'stop' | 'abort'
    /** The terminal was closed. */
    why?: 'hangup'
  }
  /**
   * The clock advanced by this much although no time passed: it was set, or the machine slept. This is not running
   * time.
   */
  'clock.jumped': { ms: number }
  /** A person raised or lowered limits. */
  'limits.changed': { limits: Partial<Limits> }
}
