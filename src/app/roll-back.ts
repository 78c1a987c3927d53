/** Carries out a person's rollback of a run that rests: at once, and in the journal. */
import { rolledBack } from '../core/stages/wave.ts'
import type { Recorder } from '../engine/recorder.ts'
import { LooperError } from '../model/error.ts'
import type { RunState } from '../model/state.ts'
import { createWorktrees } from '../workspace/worktrees.ts'

export async function rollBackNow(root: string, state: RunState, { record, flush }: Recorder): Promise<void> {
  const { next } = state.convergence
  if (next?.do !== 'roll-back') return
  // What is asked for is durable before the branch moves: a crash in between leaves it to whoever resumes the run.
  await flush()
  const from = state.landings.at(-1)?.commit ?? state.base.commit
  const { run, branch, base, config: { workspace, backlog } } = state
  const places = createWorktrees({
    root, run, branch, base: base.commit, workspace, backlog, setup: [], env: process.env, mask: (text) => text, mark: (id) => id,
    signal: new AbortController().signal,
  })
  const { status, kept } = await places.rollback({ kind: 'rollback', id: 'rollback', from, to: next.to })
  if (status === 'moved') throw new LooperError('WORKSPACE_GIT', `The run branch ${branch} was moved by somebody else.`)
  rolledBack(state, next, { from, kept }).forEach((fact) => record(fact))
}
