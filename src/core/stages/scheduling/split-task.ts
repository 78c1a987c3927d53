/** Splits a task that has no attempts left: a planner divides it into two or three smaller ones. */
import type { Fact } from '../../../model/event.ts'
import type { PlannerResult } from '../../../model/results.ts'
import { isSatisfied } from '../../../model/split-tasks.ts'
import type { RunState, TaskState } from '../../../model/state.ts'
import { stepId } from '../../../model/work-id.ts'
import { ask } from '../../questions/answers.ts'
import { errorLine } from '../../policies/error-line.ts'
import { accepted, planGraph } from '../../policies/plan-graph.ts'
import { record, type Proposal } from '../../proposal.ts'
import { caughtEditing } from '../../questions/questions.ts'
import { findTask } from '../../tasks/task-graph.ts'
import { unanswered } from '../../questions/unanswered.ts'
import { prepared } from '../../tasks/workspace-needs.ts'
import { finishFailed, lastFailure } from '../attempt/finish-task.ts'
import { taskSplit } from '../../tasks/task-ends.ts'

/** No attempts are left: the planner splits the task into two or three smaller ones. */
export function splitTask(state: RunState, task: TaskState): Proposal {
  const workspace = prepared(state, stepId(stepId(task.id, 'split', task.attempts), 'prepare'), task.id, {
    task: task.id,
    setup: false,
  })
  if (workspace.status === 'not-yet') return workspace.proposal
  const graphOf = (plan: PlannerResult) =>
    planGraph(plan.tasks, {
      exists: (id) => findTask(state, id) !== undefined && !task.children.includes(id),
      mayDependOn: (id) => {
        const known = findTask(state, id)
        return known !== undefined && isSatisfied(state, known)
      },
      parent: task.id,
      depth: task.depth + 1,
      keepIds: false,
      // Parts inherit the permissions of the whole task. The guard may just have stopped this agent, so it may not add
      // any.
      fields: ['repairs'],
      name: (place) => `${task.id}.${place}`,
    })
  const answer = ask(state, {
    id: stepId(task.id, 'split', task.attempts),
    purpose: 'split',
    workspace: task.id,
    task: task.id,
    attempt: task.attempts,
    turn: task.index + task.attempts,
    tree: workspace.outcome.tree,
    objections: (plan) => {
      if (plan.tasks.length < 2 || plan.tasks.length > 3)
        return [`split it into 2 or 3 tasks, not ${plan.tasks.length}`]
      const graph = graphOf(plan)
      return graph.ok ? [] : graph.errors
    },
  })
  if (answer.status !== 'done') {
    const both = (message: string): string => `${lastFailure(task)}; splitting it failed too: ${errorLine(message)}`
    return unanswered(answer, ({ message }) => finishFailed(task, both(message)))
  }
  const { tasks: children } = accepted(graphOf(answer.outcome.result))
  return record(
    ...caughtEditing(state, answer.outcome.edited, 'planner', task.id, answer.outcome.id),
    ...children
      .filter(({ id }) => !state.tasks[id])
      .map((spec): Fact => ({ type: 'task.added', task: spec, origin: answer.outcome.id })),
    taskSplit(task.id, lastFailure(task)),
  )
}
