/** How a task ends: done with its evidence, parked because it is blocked, or failed. */
import type { Landing } from '../../../model/convergence.ts'
import type { Fact } from '../../../model/event.ts'
import type { CoderResult } from '../../../model/results.ts'
import type { RunState, TaskState } from '../../../model/state.ts'
import { askPermission } from '../../questions/guard-question.ts'
import { outcomeOf } from '../../work/ledger.ts'
import { waitsFor } from '../../../model/waiting-reason.ts'
import { isBuildProduct } from '../../policies/build-products.ts'
import { ownerOfChange } from '../../policies/foreign-files.ts'
import { within } from '../../policies/ladder.ts'
import { admitNewTasks, mostByOneTask, refuseTasks } from '../../policies/new-tasks.ts'
import { planGraph } from '../../policies/plan-graph.ts'
import { record, recordAny, type Proposal } from '../../proposal.ts'
import { askQuestions, openFor, recordDecisions } from '../../questions/questions.ts'
import { findTask } from '../../tasks/task-graph.ts'
import { evidenceOf } from './checking.ts'
import { landed } from './integrate.ts'
import type { Standing } from './standing.ts'
import { unpushedCommits } from './submodule-commits.ts'
import { taskBlocked, taskFailed } from '../../tasks/task-ends.ts'
import { numberedId } from '../../../model/task-id.ts'

export function finishDone(standing: Standing, result: CoderResult, origin: string): Proposal {
  const { state, task, attempt } = standing
  const { commit, tree, submodules = [] } = landed(standing)
  return record(
    ...unpushedCommits(submodules, task.id, standing.id),
    ...recordDecisions(state, result.decisions, task.id, origin),
    ...askQuestions(state, result.questions, origin, () => []),
    ...discovered(state, task, result, origin),
    ...builtFiles(standing),
    ...foreignFiles(standing),
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
      ...originals(standing),
      ...(standing.unchanged ? { unchanged: true } : {}),
    },
  )
}

/** A task that turned out to need no change. What the agent decided, asked and proposed is kept. */
export function finishUnneeded({ state, task }: Standing, result: CoderResult, origin: string): Proposal {
  return record(
    ...recordDecisions(state, result.decisions, task.id, origin),
    ...askQuestions(state, result.questions, origin, () => []),
    ...discovered(state, task, result, origin),
    {
      type: 'task.finished',
      task: task.id,
      status: 'cancelled',
      reason: `the agent found nothing to do${result.summary === '' ? '' : `: ${result.summary}`}`,
      block: null,
      evidence: [],
      commit: null,
      summary: null,
      by: 'agent',
    },
  )
}

/** A warning of new build products in the change: a project seldom wants them in its history. */
function builtFiles({ task, id, files = {}, was = {} }: Standing): Fact[] {
  const built = Object.keys(files).filter((path) => files[path] !== null && !was[path] && isBuildProduct(path))
  if (built.length === 0) return []
  return [
    {
      type: 'finding.raised',
      severity: 'WARNING',
      title: 'build products are part of the change',
      detail: `${built.slice(0, mostNamed).join(', ')}${built.length > mostNamed ? ' …' : ''}: list them in .gitignore`,
      task: task.id,
      origin: id,
    },
  ]
}
const mostNamed = 5

/** A warning of a change that may belong to another task. Only a judge could say whether it does. */
function foreignFiles({ state, task, id, files = {} }: Standing): Fact[] {
  const owner = ownerOfChange(state, task, Object.keys(files))
  if (owner === null) return []
  return [
    {
      type: 'finding.raised',
      severity: 'WARNING',
      title: `the change may be the work of ${owner}`,
      detail: `it changes files that ${owner} declares${task.files.length > 0 ? ', and none of its own' : ''}`,
      task: task.id,
      origin: id,
    },
  ]
}

/** The original content of a file is recorded once, by the first landing that changes the file. */
function originals({ state: { landings }, was = {} }: Standing): Pick<Landing, 'was'> {
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
  const refuse = (detail: string): Fact[] => [refuseTasks(newTasks, detail, { task: task.id, origin })]
  if (!within(task.depth, state.config.limits.splitDepth)) return refuse('they are too deep in the plan')
  const { admitted, findings } = admitNewTasks(state, newTasks, { origin, task: task.id, most: mostByOneTask })
  const graph = planGraph(admitted, {
    exists: (id) => findTask(state, id) !== undefined,
    parent: null,
    depth: task.depth + 1,
    keepIds: false,
    name: (index) => numberedId(state.order.length + index),
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
  const asked = recordAny(askQuestions(state, questions, origin, () => [task.id]))
  if (asked) return asked
  const said = result.blocker?.reason || result.summary
  const inquiry = recordAny(askPermission(state, task, standing.attempt, { reason: said, origin }))
  if (inquiry) return inquiry
  const own = result.blocker?.reason ?? ''
  const [open] = own === '' ? openFor(state, task.id) : []
  const reason = own || (open ? waitsFor(open.id) : result.summary || 'the agent is blocked')
  const block = result.blocker?.kind ?? 'external'
  return record(taskBlocked(task.id, reason, block, open ? { question: open.id } : {}))
}

export const finishFailed = ({ id }: TaskState, reason: string): Proposal => record(taskFailed(id, reason))

export const lastFailure = ({ failures }: TaskState): string => failures.at(-1)?.summary ?? 'failed'
