/**
 * The review of a wave: its landings are judged together, task by task. A rejected task starts again from the current
 * branch.
 */
import type { Fact } from '../../../model/event.ts'
import type { SupervisorResult } from '../../../model/results.ts'
import type { RunState, TaskState } from '../../../model/state.ts'
import type { Verdict } from '../../../model/verdict.ts'
import { stepId, waveOwner } from '../../../model/work-id.ts'
import { ask } from '../../questions/answers.ts'
import { judge } from '../../policies/escalation.ts'
import { record, type Proposal } from '../../proposal.ts'
import { caughtEditing } from '../../questions/questions.ts'
import { findTask, taskOf } from '../../tasks/task-graph.ts'
import { failsRun, unanswered } from '../../questions/unanswered.ts'
import { prepared, reviewsWaves } from '../../tasks/workspace-needs.ts'

/** Null when the wave needs no review or has had it. */
export function review(state: RunState): Proposal | null {
  const { wave, landings } = state
  if (!reviewsWaves(state) || state.waveReviewed === wave) return null
  const first = landings.findIndex((landing) => landing.wave === wave)
  if (first === -1) return null
  const workspace = prepared(state, stepId(stepId(waveOwner(wave), 'review'), 'prepare'), 'main')
  if (workspace.status === 'not-yet') return workspace.proposal
  const answer = ask(state, {
    id: stepId(waveOwner(wave), 'review'),
    purpose: 'review-wave',
    workspace: 'main',
    task: null,
    attempt: 1,
    turn: wave,
    tree: workspace.outcome.tree,
    base: landings[first - 1]?.commit ?? state.base.commit,
  })
  if (answer.status !== 'done') return unanswered(answer, failsRun(`wave ${wave} could not be reviewed`))
  const verdict = judge(answer.outcome.result, state.config.thresholds)
  const named = (answer.outcome.result.verdicts ?? [])
    .map(({ task }) => task)
    .filter((id) => findTask(state, id) !== undefined)
  const judged = [...new Set([...state.waveTasks, ...named])]
    .map((id) => taskOf(state, id))
    .filter(({ status }) => status === 'done')
  return record(
    ...caughtEditing(state, answer.outcome.edited, 'supervisor', null, answer.outcome.id),
    ...judged.flatMap((task) => turnedDown(task, answer.outcome.result, verdict)),
    { type: 'verdict.given', subject: { kind: 'wave', wave }, verdict },
  )
}

/**
 * Without a verdict of its own, a task of the wave gets the verdict on the whole wave. Earlier tasks are judged only
 * when they are named.
 */
function turnedDown({ id }: TaskState, { verdicts = [] }: SupervisorResult, whole: Verdict): Fact[] {
  const own = verdicts.find(({ task }) => task === id)
  if (own?.approved ?? whole.approved) return []
  const said = own?.feedback || whole.feedback || whole.summary
  return [
    {
      type: 'task.undone',
      task: id,
      why: 'review',
      revert: null,
      failure: {
        kind: 'verdict',
        error: null,
        summary: `turned down with its wave: ${said}`,
        detail: said,
        fingerprint: null,
      },
    },
  ]
}
