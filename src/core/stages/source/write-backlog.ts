/** The writing of a backlog: a planner writes a missing one, or repairs a broken one. */
import type { TaskAnswer } from '../../../model/results.ts'
import type { BacklogState, RunState } from '../../../model/state.ts'
import type { SourceTask } from '../../../model/source.ts'
import { stepId } from '../../../model/work-id.ts'
import { ask } from '../../questions/answers.ts'
import { within } from '../../policies/ladder.ts'
import { accepted, planGraph } from '../../policies/plan-graph.ts'
import { conclude, pause, recordAny, type Proposal } from '../../proposal.ts'
import { caughtEditing } from '../../questions/questions.ts'
import { failsRun, unanswered } from '../../questions/unanswered.ts'
import { prepared } from '../../tasks/workspace-needs.ts'
import { poll, broken } from './poll-source.ts'
import { numberedId } from '../../../model/task-id.ts'

export function writeBacklog(state: RunState, backlog: BacklogState): Proposal {
  const why = backlog.problems.length === 0 ? 'bootstrap' : 'repair'
  // Without `text`, the backlog can be read but not used. Only its owner can change it.
  if (why === 'repair' && backlog.text === undefined) return pause(broken(state, backlog.problems))
  if (!within(backlog.written, state.config.limits.planRevisions)) {
    return conclude({
      status: 'failed',
      reason: why === 'repair' ? `the backlog is still broken: ${backlog.problems[0]}` : 'the backlog is still empty',
    })
  }
  const workspace = prepared(state, stepId('backlog', 'prepare'), 'main', { setup: false })
  if (workspace.status === 'not-yet') return workspace.proposal
  const answer = ask(state, {
    id: stepId('backlog', why, backlog.polls),
    purpose: why,
    workspace: 'main',
    task: null,
    attempt: 1,
    turn: backlog.polls,
    tree: workspace.outcome.tree,
    objections: ({ tasks }) => [...objections(tasks), ...(why === 'repair' ? missing(backlog, tasks) : [])],
  })
  if (answer.status !== 'done') return unanswered(answer, failsRun('no backlog'))
  const caught = recordAny(caughtEditing(state, answer.outcome.edited, 'planner', null, answer.outcome.id))
  return caught ?? poll(state, backlog, null, { why, tasks: sourceTasks(answer.outcome.result.tasks, backlog.text) })
}

/** A repair must not lose a task of the backlog. */
function missing({ text = '' }: BacklogState, tasks: readonly TaskAnswer[]): string[] {
  const there = new Set([...text.matchAll(/"id"\s*:\s*"([^"\\]{1,100})"/g)].map(([, id = '']) => id))
  const lost = [...there].filter((id) => !tasks.some((task) => task.id === id))
  return lost.length === 0 ? [] : [`these tasks of the broken backlog are missing: ${lost.slice(0, 10).join(', ')}`]
}

const graphOf = (tasks: readonly TaskAnswer[]) =>
  planGraph(tasks, {
    exists: () => false,
    parent: null,
    depth: 0,
    keepIds: true,
    fields: ['repairs', 'allows'],
    name: numberedId,
  })

export function objections(tasks: readonly TaskAnswer[]): string[] {
  if (tasks.length === 0) return ['a backlog needs at least one task']
  const graph = graphOf(tasks)
  return graph.ok ? [] : graph.errors
}

/** In a repaired backlog (`before`), closed tasks stay closed, and the repair cannot add permissions. */
function sourceTasks(answers: readonly TaskAnswer[], before?: string): SourceTask[] {
  return accepted(graphOf(answers)).tasks.map(
    ({ id, title, description, dependsOn, criteria, files, type, repairs, allows = [] }, place) => {
      const answer = answers[place]
      const kept = allows.filter((entry) => before?.includes(JSON.stringify(entry)) !== false)
      const status = answer?.['status']
      return {
        id,
        title,
        description,
        dependsOn,
        criteria,
        files,
        type,
        priority: answer?.priority ?? place + 1,
        status: status === 'done' || status === 'blocked' || status === 'cancelled' ? status : 'todo',
        reason: null,
        ...(repairs ? { repairs } : {}),
        ...(kept.length > 0 ? { allows: kept } : {}),
        byAgent: true,
      }
    },
  )
}
