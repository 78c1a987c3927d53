/** The review of a backlog when all its tasks are done: an agent searches for missing tasks. */
import type { TaskAnswer } from '../../../model/results.ts'
import type { BacklogState, RunState } from '../../../model/state.ts'
import { isTryAt, stepId } from '../../../model/work-id.ts'
import { ask } from '../../questions/answers.ts'
import { within } from '../../policies/ladder.ts'
import { admitNewTasks, refuseTasks } from '../../policies/new-tasks.ts'
import { planGraph } from '../../policies/plan-graph.ts'
import { conclude, record, type Proposal } from '../../proposal.ts'
import { caughtEditing } from '../../questions/questions.ts'
import { findTask, taskOf } from '../../tasks/task-graph.ts'
import { failsRun, unanswered } from '../../questions/unanswered.ts'
import { prepared } from '../../tasks/workspace-needs.ts'
import { concludeChecked } from '../gate.ts'
import { hasOwnGoal } from '../../policies/own-goal.ts'
import { numberedId } from '../../../model/task-id.ts'

const noPlanner =
  'every task was closed already, and no review is allowed that would plan tasks for the goal: add tasks for it, '
  + 'allow one (--review, --goal-iterations 1), or choose --workflow supervised'

/** The reviewer is an agent that has not done the work. */
export function reviewBacklog(state: RunState, { reviews, complete }: BacklogState): Proposal {
  const { config } = state
  const isOver = complete || !config.review || !within(reviews, config.limits.goalIterations)
  if (isOver && reviews === 0 && state.wave === 0 && hasOwnGoal(state))
    return conclude({ status: 'failed', reason: noPlanner })
  if (isOver) return concludeChecked(state)
  const round = reviews + 1
  const workspace = prepared(state, stepId('backlog', 'prepare', round), 'main')
  if (workspace.status === 'not-yet') return workspace.proposal
  const id = stepId('backlog', 'review', round)
  const others = state.order.filter((each) => !isTryAt(taskOf(state, each).origin, id))
  const graphFor = (tasks: readonly TaskAnswer[]) =>
    planGraph(tasks, {
      exists: (name) => others.includes(name),
      parent: null,
      depth: 0,
      keepIds: true,
      name: (place) => numberedId(others.length + place),
    })
  const answer = ask(state, {
    id,
    purpose: 'review',
    workspace: 'main',
    task: null,
    attempt: 1,
    turn: round,
    tree: workspace.outcome.tree,
    objections({ new_tasks: tasks }) {
      const graph = graphFor(tasks)
      return graph.ok ? [] : graph.errors
    },
  })
  if (answer.status !== 'done') return unanswered(answer, failsRun('no review of the backlog'))
  const whose = { origin: answer.outcome.id, task: null, most: null }
  const { admitted, findings } = admitNewTasks(state, answer.outcome.result.new_tasks, whose)
  const graph = graphFor(admitted)
  // A task may depend on one that was left out, under a name that only the whole answer explains.
  const tasks = graph.ok ? graph.tasks : []
  const refused = graph.ok ? [] : [refuseTasks(admitted, graph.errors.join('; '), whose)]
  return record(
    ...caughtEditing(state, answer.outcome.edited, 'iterator', null, answer.outcome.id),
    ...tasks
      .filter((task) => !findTask(state, task.id))
      .map((task) => ({ type: 'task.added', task, origin: answer.outcome.id }) as const),
    ...findings,
    ...refused,
    { type: 'backlog.reviewed', round, added: tasks.length },
  )
}
