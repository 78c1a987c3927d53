/**
 * Performs the user's rollback of a resting run at once and records it in the journal, after landings that the journal
 * misses.
 */
import { recordLanded } from '../../core/stages/execute.ts'
import { rolledBack } from '../../core/stages/wave/next-step.ts'
import type { Recorder } from '../../engine/recorder.ts'
import { LooperError, messageOf } from '../../model/error.ts'
import type { Fact } from '../../model/event.ts'
import { engineGone } from '../../model/interrupted.ts'
import type { RunState } from '../../model/state.ts'
import { markOf, runKey } from '../../platform/mark.ts'
import { endMarked } from '../../platform/sweep.ts'
import { createWorktrees } from '../../workspace/worktrees.ts'

interface Resting {
  root: string
  dir: string
  state: RunState
  recorder: Recorder
}

const workspacesOf = ({
  root,
  dir,
  state: {
    run,
    branch,
    base,
    config: { workspace, backlog },
  },
}: Resting) =>
  createWorktrees({
    root,
    runDir: dir,
    run,
    branch,
    base: base.commit,
    workspace,
    backlog,
    setup: [],
    env: process.env,
    mask: (text) => text,
    mark: (id) => markOf(runKey(dir), id, 1),
    signal: new AbortController().signal,
  })

/**
 * Records the outcome of git work that a killed engine did not record: a landing as landed, and a rollback in progress
 * as lost.
 */
export async function catchUp(resting: Resting): Promise<void> {
  const {
    dir,
    state,
    recorder: { record, flush },
  } = resting
  const left = Object.values(state.works)
    .map(({ work }) => work)
    .filter(({ kind }) => kind === 'integrate' || kind === 'rollback')
  if (left.length === 0 || state.config.workspace.mode === 'in-place' || state.discardedAt !== null) return
  const marks = new Set(left.map(({ id }) => markOf(runKey(dir), id, 1)))
  await endMarked(`${runKey(dir)}:`, { only: (mark) => marks.has(mark) })
  const workspaces = workspacesOf(resting)
  for (const { id, kind } of left) {
    const commit = kind === 'integrate' ? await workspaces.landed(id) : null
    if (commit !== null) record({ type: 'work.finished', id, outcome: { kind: 'integrate', status: 'landed', commit } })
    else if (kind === 'rollback') record({ type: 'work.lost', id, why: engineGone })
  }
  for (let landed = recordLanded(state); landed; landed = recordLanded(state)) landed.facts.forEach(record)
  await flush()
}

/**
 * The request is durable before the branch moves: after a crash in between, the process that resumes the run completes
 * it.
 */
export async function rollBackNow(resting: Resting, asked: Fact): Promise<void> {
  const {
    state,
    recorder: { record, flush },
  } = resting
  const { next: before } = state.convergence
  record(asked)
  await flush()
  const { next } = state.convergence
  if (next?.do !== 'roll-back') return
  const from = state.landings.at(-1)?.commit ?? state.base.commit
  try {
    const { status, kept } = await workspacesOf(resting).rollback({
      kind: 'rollback',
      id: 'rollback',
      from,
      to: next.to,
    })
    if (status === 'moved')
      throw new LooperError('WORKSPACE_GIT', `The run branch ${state.branch} was moved by another process.`)
    rolledBack(state, next, { from, kept }).forEach((fact) => record(fact))
  } catch (error) {
    const why = messageOf(error)
    record({ type: 'rollback.withdrawn', why, next: before })
    await flush()
    const code = error instanceof LooperError ? error.code : 'WORKSPACE_GIT'
    throw new LooperError(code, why, { hint: hintFor(state.run), cause: error })
  }
}

const hintFor = (run: string): string =>
  `The run is as it was. Fix that, then run \`looper rollback ${run}\` with the same options.`
