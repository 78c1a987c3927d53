/**
 * The loop stage: runs the stages of a pipeline one after another. Each stage repeats passes (`pass.ts`), and code
 * decides whether another pass follows.
 */
import { maxPassesOf, type LoopStage } from '../../model/loop.ts'
import type { LoopState, RunState } from '../../model/state.ts'
import { passOwner } from '../../model/work-id.ts'
import { resumeAfter } from '../../model/resume-hint.ts'
import { stageEnd } from '../policies/completion.ts'
import { conclude, pause, record, type Proposal } from '../proposal.ts'
import { decideTasks } from './backlog.ts'
import { broken } from './source/poll-source.ts'
import { concludeChecked } from './gate.ts'
import { decidePass, delay } from './pass/pass.ts'

export function decideLoop(state: RunState): Proposal {
  const { loop, pipeline } = state
  const stage = pipeline?.stages[loop?.stage ?? 0]
  if (!loop || !stage) return concludeChecked(state)
  if (stage.completion.kind === 'tasks-empty') return untilEmpty(state, loop, stage)
  const over = stageEnd(stage, loop)
  if (over?.over === 'complete') return finish(loop, stage, loop.iterations, over.why)
  if (over) return conclude({ status: 'failed', reason: failedAt(state, loop, stage, over.why) })
  if (loop.blocked >= 2) return pause(blockage(loop, stage))
  return decidePass(state, loop, stage)
}

const finish = (loop: LoopState, stage: LoopStage, iterations: number, why: string): Proposal =>
  record({ type: 'loop.finished', stage: loop.stage, name: stage.name, iterations, why })

/** Works through tasks like a backlog, but never writes a missing backlog. */
function untilEmpty(state: RunState, loop: LoopState, stage: LoopStage): Proposal {
  const ranNothing = (why: string): Proposal =>
    conclude({ status: 'failed', reason: `stage "${stage.name}" ran nothing: ${why}` })
  // Like a backlog in which everything is done.
  const isAlone = state.pipeline?.stages.length === 1
  return decideTasks(state, {
    rest: () => delay(state, loop, stage, passOwner(loop.stage, state.wave + 1)),
    empty: ({ problems }) => (problems.length > 0 ? pause(broken(state, problems)) : ranNothing('there is no task')),
    done: () =>
      state.wave === loop.wave && !isAlone
        ? ranNothing('no task is open')
        : finish(loop, stage, state.wave - loop.wave, 'no task is left'),
  })
}

function failedAt({ session, run }: RunState, loop: LoopState, stage: LoopStage, why: string): string {
  const last = loop.entries.findLast(({ status }) => status === 'failed')
  const error = last && loop.failures > 0 ? `: ${last.summary}` : ''
  const most = maxPassesOf(stage)
  const place = `iteration ${Math.min(loop.iterations + 1, most)}/${most} of stage "${stage.name}"`
  return `"${session ?? run}" failed at ${place} (last successful: ${loop.iterations}): ${why}${error}`
}

const blockage = ({ entries }: LoopState, { name }: LoopStage) =>
  ({
    kind: 'blocked',
    detail: `stage "${name}" is blocked: ${entries.at(-1)?.summary ?? ''}`,
    ...resumeAfter('Remove what blocks it'),
  }) as const
