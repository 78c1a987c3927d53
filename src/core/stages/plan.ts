/** The plan stage: has a plan made, reviewed and revised until it is accepted or `onPlanRejected` decides. */
import type { Fact } from '../../model/event.ts'
import type { PlannerResult } from '../../model/results.ts'
import type { RunState } from '../../model/state.ts'
import type { TaskSpec } from '../../model/task.ts'
import type { Verdict } from '../../model/verdict.ts'
import { isFromPlan, planId, stepId } from '../../model/work-id.ts'
import { ask } from '../questions/answers.ts'
import { checksAreOff } from '../policies/checks.ts'
import { judge, remarksOf } from '../policies/escalation.ts'
import { within } from '../policies/ladder.ts'
import { accepted, planGraph, type PlanGraph } from '../policies/plan-graph.ts'
import { parseProposedCheck } from '../policies/proposed-check.ts'
import { conclude, enterNext, pause, record, recordAny, type Proposal } from '../proposal.ts'
import { askQuestions, caughtEditing, openFrom, recordDecisions, waitingFor } from '../questions/questions.ts'
import { findTask } from '../tasks/task-graph.ts'
import { failsRun, unanswered } from '../questions/unanswered.ts'
import { prepared } from '../tasks/workspace-needs.ts'
import { numberedId } from '../../model/task-id.ts'

export function decidePlan(state: RunState): Proposal {
  const { revision, accepted } = state.plan
  const workspace = prepared(state, stepId('plan', 'prepare'), 'main', { setup: false })
  if (workspace.status === 'not-yet') return workspace.proposal

  const id = planId(revision)
  const answer = ask(state, {
    id,
    purpose: state.plan.feedback === null ? 'plan' : 'revise',
    workspace: 'main',
    task: null,
    attempt: 1,
    turn: revision + 1,
    tree: workspace.outcome.tree,
    objections: (plan) => objections(state, plan),
  })
  if (answer.status !== 'done') return unanswered(answer, failsRun('no plan'))
  const caught = recordAny(caughtEditing(state, answer.outcome.edited, 'planner', null, answer.outcome.id))
  if (caught) return caught
  if (answer.outcome.result.status === 'needs_clarification')
    return clarify(state, answer.outcome.result, answer.outcome.id)
  if (accepted) return adopt(state, answer.outcome.result, id)
  return review(state, workspace.outcome.tree)
}

const objections = (state: RunState, plan: PlannerResult): string[] => {
  if (plan.status === 'needs_clarification')
    return plan.questions.length > 0 ? [] : ['needs_clarification without a question']
  if (plan.tasks.length === 0) return ['a plan needs at least one task']
  const graph = graphOf(state, plan)
  return graph.ok ? [] : graph.errors
}

/** Tasks that a person added meanwhile keep their ids; the planner's tasks get others. */
const graphOf = (state: RunState, plan: PlannerResult): PlanGraph =>
  planGraph(plan.tasks, {
    exists: (id) => findTask(state, id) !== undefined && !isPlanned(state, id),
    parent: null,
    depth: 0,
    keepIds: true,
    fields: ['repairs', 'allows'],
    name: numberedId,
  })

const isPlanned = (state: RunState, id: string): boolean => isFromPlan(findTask(state, id)?.origin ?? '')

function clarify(state: RunState, plan: PlannerResult, origin: string): Proposal {
  const asked = recordAny(askQuestions(state, plan.questions, origin, () => []))
  if (asked) return asked
  const open = waitingFor(openFrom(state, origin))
  if (open) return pause(open)
  if (!within(state.plan.revision, state.config.limits.planRevisions)) {
    return conclude({ status: 'failed', reason: 'the planner kept asking instead of planning' })
  }
  return record({
    type: 'plan.rejected',
    revision: state.plan.revision,
    score: null,
    feedback: 'The questions are answered now: plan with the answers.',
  })
}

function review(state: RunState, tree: string | null): Proposal {
  const { revision, verdict } = state.plan
  if (!state.config.review) return record({ type: 'plan.accepted', revision, score: null, why: 'unreviewed' })
  if (verdict) return weigh(state, verdict)
  const answer = ask(state, {
    id: stepId(planId(revision), 'review'),
    purpose: 'review-plan',
    workspace: 'main',
    task: null,
    attempt: 1,
    turn: revision + 1,
    tree,
  })
  if (answer.status !== 'done') return unanswered(answer, failsRun('no review of the plan'))
  return record(...caughtEditing(state, answer.outcome.edited, 'supervisor', null, answer.outcome.id), {
    type: 'verdict.given',
    subject: { kind: 'plan', revision },
    verdict: judge(answer.outcome.result, state.config.thresholds),
  })
}

function weigh(state: RunState, verdict: Verdict): Proposal {
  const { revision } = state.plan
  const { score } = verdict
  if (verdict.level === 'abort') {
    return conclude({
      status: 'failed',
      reason: `the supervisor aborted at the plan: ${verdict.issues.length} issues (score ${score})`,
    })
  }
  if (verdict.approved) return record({ type: 'plan.accepted', revision, score, why: 'approved' })
  if (within(revision, state.config.limits.planRevisions)) {
    return record({ type: 'plan.rejected', revision, score, feedback: remarksOf(`Score ${score} of 100.`, verdict) })
  }
  return lastWord(state, revision, score)
}

function lastWord(state: RunState, revision: number, score: number): Proposal {
  const { onPlanRejected, thresholds } = state.config
  if (onPlanRejected === 'skip_and_continue') return record({ type: 'plan.accepted', revision, score, why: 'skipped' })
  if (onPlanRejected === 'lower_threshold' && score >= thresholds.revise)
    return record({ type: 'plan.accepted', revision, score, why: 'lowered' })
  return conclude({ status: 'failed', reason: `the plan was rejected after ${revision} revisions (score ${score})` })
}

/**
 * A proposed check that is not a plain command does not run. A finding reports it, so that it is not mistaken for a
 * check that ran.
 */
function unusableChecks(state: RunState, tasks: readonly TaskSpec[], origin: string): Fact[] {
  return tasks
    .filter(({ id }) => !state.tasks[id])
    .flatMap(({ id, checks }) => {
      const prose = checks.filter(
        (text) =>
          parseProposedCheck(text) === null
          && !state.config.checks.some(({ name, run }) => name === text || run === text),
      )
      if (prose.length === 0 || checksAreOff(state.config)) return []
      const detail = prose.map((text) => `- ${text}`).join('\n')
      return [
        {
          type: 'finding.raised',
          severity: 'WARNING',
          title: 'checks of the plan that are no plain commands are not run',
          detail,
          task: id,
          origin,
        },
      ]
    })
}

function adopt(state: RunState, plan: PlannerResult, origin: string): Proposal {
  const { tasks, idOf } = accepted(graphOf(state, plan))
  const facts: Fact[] = [
    ...tasks.filter(({ id }) => !state.tasks[id]).map((task): Fact => ({ type: 'task.added', task, origin })),
    ...recordDecisions(state, plan.decisions, null, origin),
    ...unusableChecks(state, tasks, origin),
    ...askQuestions(state, plan.questions, origin, ({ blocks }) =>
      blocks.map(idOf).filter((id) => tasks.some((task) => task.id === id)),
    ),
  ]
  return recordAny(facts) ?? enterNext(state)
}
