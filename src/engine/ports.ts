/** What the engine needs of the world. Adapters satisfy these by shape; only main.ts knows which ones. */
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Usage } from '../model/usage.ts'
import type {
  CheckOutcome, CheckWork, InspectOutcome, InspectWork, IntegrateOutcome, IntegrateWork, PrepareOutcome, PrepareWork, TurnOutcome,
  TurnWork, WorkspaceId,
} from '../model/work.ts'

/** Time, the machine's or a virtual one. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once, at that time or soon after, never before `at` has returned; returns how to call it off. */
  at(time: number, callback: () => void): () => void
}

/** An append-only list of events. `append` resolves when they are durable, and throws JOURNAL_CONFLICT when `after` is not the last seq. */
export interface Journal {
  load(after?: number): Promise<Event[]>
  append(after: number, events: readonly Event[]): Promise<void>
  close(): Promise<void>
}

/** A cache of the state, so that opening a long run is fast. A missing, stale or damaged one is null, never an error. */
export interface Snapshots {
  load(): Promise<RunState | null>
  save(state: RunState): Promise<void>
}

export interface TurnRequest {
  work: TurnWork
  /** 1 for the first start of this id; each start has a folder of its own. */
  starts: number
  cwd: string
  prompt: string
}

export interface CheckRequest {
  work: CheckWork
  starts: number
  cwd: string
}

export type DispatchState =
  | { state: 'absent' }
  | { state: 'running'; usage: Usage }
  | { state: 'done'; outcome: TurnOutcome | CheckOutcome }
  | { state: 'lost'; why: string }

/** Performs turns and checks, here or elsewhere. Nothing throws; `inspect` is the truth and `watch` only a hint to look. */
export interface Dispatch {
  /** Idempotent by work id. */
  ensure(request: TurnRequest | CheckRequest): void
  /** `gracefully` asks with the agent's stop signals first. The work ends up `lost`, or `done` if it was quicker. */
  cancel(id: string, how: 'gracefully' | 'now'): void
  inspect(ids: readonly string[]): Map<string, DispatchState>
  /** Forgets finished work whose outcome is durable. */
  release(id: string): void
  watch(onHint: () => void): () => void
  /** Resolves when nothing is running any more. */
  quiet(): Promise<void>
  /**
   * Called once, before anything else, with the work an earlier engine left under way: adopts turns that still run or ended
   * meanwhile with an answer, ends every other process that carries this run's mark, and resolves when none is left.
   */
  recover(left: readonly { work: TurnWork | CheckWork; starts: number; cwd: string }[]): Promise<void>
}

/** The trees agents work in. Throws LooperError (WORKSPACE_*, ENVIRONMENT_*) when git or the disk refuses. */
export interface Workspaces {
  path(workspace: WorkspaceId): string
  /** A clean workspace at the newest run branch, set up. Idempotent. */
  prepare(work: PrepareWork): Promise<PrepareOutcome>
  /** These will be prepared soon: what can be done ahead, while agents work, may be done now. Only a hint. */
  expect(workspaces: readonly WorkspaceId[]): void
  inspect(work: InspectWork): Promise<InspectOutcome>
  integrate(work: IntegrateWork): Promise<IntegrateOutcome>
  /** Puts the workspace's files back to `tree`; returns the paths that differed. In place: only looks. */
  restore(workspace: WorkspaceId, tree: string): Promise<string[]>
  /** A readable diff against `base`, at most `maxChars` long. */
  diff(workspace: WorkspaceId, base: string, maxChars: number): Promise<string>
  /** Removes the run's scratch worktrees. */
  clean(): Promise<void>
}

/** Renders what an agent reads on stdin. Pure but for the templates. */
export type RenderPrompt = (input: { state: RunState; work: TurnWork; diff: string | null }) => string
