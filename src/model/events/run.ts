/** Events about the run itself: its start, its stages, its end, and what people ask of it. */
import type { KeptSettings, Limits, RunConfig } from '../config.ts'
import type { Pipeline } from '../loop.ts'
import type { Conclusion, PauseReason, StageName } from '../pause.ts'

export interface RunEvents {
  /** A run begins: its goal, its workflow, and the configuration it will keep. */
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
    /** The commit the run starts from, and the branch the user had checked out. */
    base: { commit: string; branch: string | null }
    branch: string
    /** The name under which it can be found and of which only one can be live. */
    session?: string
    /** What agents read for each task, instead of the prompt that comes with Looper. */
    prompt?: string
    /** What the `loop` stage walks through. */
    pipeline?: Pipeline
  }
  /**
   * The run goes on from here by itself: all before happened in another run. What was under way is lost; what that
   * spent is its own.
   */
  'run.forked': { from: { run: string; seq: number }; config: RunConfig; looper?: string }
  /** Nothing can go on until a person acts or a limit is raised. */
  'run.paused': { reason: PauseReason }
  /** The run goes on; tasks that had failed get another chance. */
  'run.resumed': {
    limits: Partial<Limits>
    settings?: KeptSettings & { files: Record<string, string> }
    looper?: string
  }
  /** The run is over. */
  'run.ended': { status: 'completed' | 'failed' | 'aborted'; reason: string | null }
  /** A person took the run's changes over: their branch (null: no branch) is at this commit since. */
  'run.applied': { commit: string; onto: string | null }
  /** A person threw the run's changes away; the commit is what its branch was at, if it had one. */
  'run.discarded': { commit: string | null }
  /** A stage begins. The report stage carries the conclusion that the run will end with. */
  'stage.entered': { stage: StageName; conclusion: Conclusion | null }
  /** A person wants the run to pause after the turns under way, to stop now, or to be aborted. */
  'stop.requested': { how: 'pause' | 'stop' | 'abort' }
  /**
   * The clock is ahead by so much although no time passed: it was set, or the machine slept. It counts as no running
   * time.
   */
  'clock.jumped': { ms: number }
  /** A person raised or lowered limits. */
  'limits.changed': { limits: Partial<Limits> }
}
