/** How a task leaves an attempt: done with its evidence, or parked because it is blocked. */
import type { Landing } from '../../model/convergence.ts'
import type { Fact } from '../../model/event.ts'
import type { CoderResult } from '../../model/results.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { askPermission } from '../guard-question.ts'
import { outcomeOf } from '../ledger.ts'
import { waitsFor } from '../../model/waiting-reason.ts'
import { within } from '../policies/ladder.ts'
import { admitNewTasks, mostByOneTask } from '../policies/new-tasks.ts'
import { planGraph } from '../policies/plan-graph.ts'
import { record, type Proposal } from '../proposal.ts'
import { askQuestions, openFor, recordDecisions } from '../questions.ts'
import { findTask } from '../task-graph.ts'
import { evidenceOf } from './checking.ts'
import { landed } from './integrate.ts'
import type { Standing } from './standing.ts'
import { unpushedCommits } from './submodule-commits.ts'

export function finishDone(standing: Standing, result: CoderResult, origin: string): Proposal {
  const { state, task, attempt } = standing
  const { commit, tree, submodules = [] } = landed(standing)
  return record(
    ...unpushedCommits(submodules, task.id, standing.id),
    ...recordDecisions(state, result.decisions, task.id, origin),
    ...askQuestions(state, result.questions, origin, () => []),
    ...discovered(state, task, result, origin),
    {
      type: 'task.finished',
      task: task.id,
      status: 'done',
      reason: null,
      block: null,
      evidence: evidenceOf(attempt.checks, tree),
      commit,
      summary: result.summary,
      ...learned(state, result, origin),
      ...(standing.files ? { files: standing.files } : {}),
      ...unchanged(standing),
    },
  )
}

/** The original content of a file is recorded once, by the first landing that changes the file. */
function unchanged({ state: { landings }, was = {} }: Standing): Pick<Landing, 'was'> {
  const first = Object.entries(was).filter(
    ([path]) => !landings.some(({ files }) => files !== undefined && Object.hasOwn(files, path)),
  )
  return first.length > 0 ? { was: Object.fromEntries(first) } : {}
}

/** In a loop, what an agent learned is passed on to later agents. */
function learned(state: RunState, { patterns }: CoderResult, origin: string): { patterns?: string[]; notes?: string } {
  if (!state.loop) return {}
  const said = outcomeOf(state, origin)
  const notes = said?.kind === 'turn' ? said.left?.progress : null
  return { ...(Array.isArray(patterns) ? { patterns: patterns.map(String) } : {}), ...(notes ? { notes } : {}) }
}

/** Tasks that the coder proposes. They are one level deeper, so that the depth limit bounds chains of new tasks. */
function discovered(state: RunState, task: TaskState, { newTasks }: CoderResult, origin: string): Fact[] {
  if (newTasks.length === 0 || state.order.some((id) => state.tasks[id]?.origin === origin)) return []
  const refuse = (detail: string): Fact[] => [
    {
      type: 'finding.raised',
      severity: 'WARNING',
      title: `${newTasks.length} new tasks were not accepted`,
      detail,
      task: task.id,
      origin,
    },
  ]
  if (!within(task.depth, state.config.limits.splitDepth)) return refuse('they are too deep in the plan')
  const { admitted, findings } = admitNewTasks(state, newTasks, { origin, task: task.id, most: mostByOneTask })
  const graph = planGraph(admitted, {
    exists: (id) => findTask(state, id) !== undefined,
    parent: null,
    depth: task.depth + 1,
    keepIds: false,
    name: (place) => `T${String(state.order.length + place).padStart(3, '0')}`,
  })
  if (!graph.ok) return refuse(graph.errors.join('; '))
  return [...graph.tasks.map((spec): Fact => ({ type: 'task.added', task: spec, origin })), ...findings]
}

export function finishBlocked(standing: Standing, result: CoderResult, origin: string): Proposal {
  const { state, task } = standing
  const questions =
    result.status === 'needs_clarification'
      ? result.questions.length > 0
        ? result.questions
        : [{ text: result.summary || 'What should be done here?', options: [], default: null, blocks: [] }]
      : result.questions
  const asked = askQuestions(state, questions, origin, () => [task.id])
  if (asked.length > 0) return record(...asked)
  const said = result.blocker?.reason || result.summary
  const inquiry = askPermission(state, task, standing.attempt, { reason: said, origin })
  if (inquiry.length > 0) return record(...inquiry)
  const [open] = openFor(state, task.id)
  const reason = result.blocker?.reason || (open ? waitsFor(open.id) : result.summary || 'the agent is blocked')
  return record({
    type: 'task.finished',
    task: task.id,
    status: 'blocked',
    reason,
    block: result.blocker?.kind ?? 'external',
    evidence: [],
    commit: null,
    summary: null,
  })
}
