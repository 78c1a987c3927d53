/** The stable shape of `looper status --json`, with unmodified texts. */
import type { Health } from '../../model/convergence.ts'
import type { PauseReason } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { BlockKind, Complexity, TaskStatus } from '../../model/task.ts'
import type { Quota } from '../../model/work.ts'
import type { Usage } from '../../model/usage.ts'
import type { LeftAgent, Liveness } from './liveness.ts'
import { namesOf } from '../facts/outside-text.ts'
import { elapsedMs, reasonOf, redOnBase, shownStatus, type ShownStatus } from '../facts/progress.ts'

export interface TaskView {
  id: string
  title: string
  status: TaskStatus
  reason: string | null
  block: BlockKind | null
  complexity: Complexity
  attempts: number
  fixCycles: number
  dependsOn: string[]
  parent: string | null
  criteria: string[]
  evidence: { check: string; exitCode: number }[]
  /** Done, and Looper itself saw its checks pass. */
  verified: boolean
  score: number | null
  commit: string | null
  usage: Usage
  startedAt: string | null
  endedAt: string | null
}

export interface StatusView {
  id: string
  goal: string
  workflow: string
  status: ShownStatus
  reason: string | null
  pause: Omit<PauseReason, 'resume'> | null
  stage: RunState['stage']
  health: Health
  /** The evidence for the health. */
  evidence: string | null
  /** Null for a run outside any session. */
  session: string | null
  /** The process that runs the run, and its last heartbeat; null when there is none. */
  pid: number | null
  heartbeatAt: string | null
  /** Agents of a crashed run that still run. */
  agents: LeftAgent[]
  branch: string
  base: RunState['base']
  turns: number
  wave: number
  goalIteration: number
  usage: Usage
  /** The last quotas that agents reported. */
  quotas: (Quota & { agent: string })[]
  startedAt: string
  endedAt: string | null
  /** What a person did with the changes since the run last continued. */
  applied: RunState['applied']
  discardedAt: string | null
  elapsedMs: number
  plan: { revision: number; accepted: boolean; score: number | null }
  tasks: TaskView[]
  questions: {
    id: string
    text: string
    options: string[]
    default: string | null
    blocks: string[]
    answer: string | null
  }[]
  checkpoints: { id: string; commit: string }[]
  /** Checks that both passed and failed on one tree. */
  flakyChecks: string[]
  /** Checks that failed before the first task. */
  redOnBase: string[]
  /** Whether agents, checks and set-up run in a sandbox of the system. */
  sandbox: 'off' | 'os'
  /** Changes outside the workspaces, and the work that ran meanwhile. Only without a sandbox. */
  outside: { during: string[]; paths: string[]; more: number }[]
}

export function statusView(state: RunState, liveness: Liveness = { live: true }): StatusView {
  const { plan, usage } = state
  return {
    id: state.run,
    goal: state.goal,
    workflow: state.workflow,
    status: shownStatus(state, liveness),
    reason: reasonOf(state),
    pause: state.pause && shownPause(state.pause),
    stage: state.stage,
    health: state.convergence.health,
    evidence: state.convergence.evidence,
    session: state.session,
    pid: holderOf(liveness)?.pid ?? null,
    heartbeatAt: holderOf(liveness)?.heartbeatAt ?? null,
    agents: liveness.left?.agents ?? [],
    branch: state.branch,
    base: state.base,
    turns: state.turns,
    wave: state.wave,
    goalIteration: state.goalIteration,
    usage: usageView(usage),
    quotas: Object.entries(state.allowances).flatMap(([agent, quotas]) => quotas.map((quota) => ({ agent, ...quota }))),
    startedAt: state.startedAt,
    endedAt: state.endedAt,
    applied: state.applied,
    discardedAt: state.discardedAt,
    elapsedMs: elapsedMs(state),
    plan: { revision: plan.revision, accepted: plan.accepted, score: plan.score },
    tasks: tasksView(state),
    questions: state.questions.map((question) => ({
      id: question.id,
      text: question.text,
      options: question.options,
      default: question.default,
      blocks: question.blocks,
      answer: question.answer,
    })),
    checkpoints: state.checkpoints.map(({ id, commit }) => ({ id, commit })),
    flakyChecks: Object.keys(state.flaky),
    redOnBase: redOnBase(state),
    sandbox: state.config.sandbox ?? 'off',
    outside: (state.outside ?? []).map((change) => ({
      during: namesOf(change),
      paths: change.paths,
      more: change.more,
    })),
  }
}

const holderOf = ({ live, holder }: Liveness): Liveness['holder'] => (live ? holder : null)

/** Rounds, because sums of floats have spurious digits. */
export const usageView = ({ costUsd, inputTokens, outputTokens }: Usage): Usage => ({
  costUsd: Math.round(costUsd * 1e6) / 1e6,
  inputTokens,
  outputTokens,
})

/** Also `looper ls --json`. */
export const tasksView = (state: RunState): TaskView[] =>
  state.order.flatMap((id) => {
    const task = state.tasks[id]
    return task === undefined ? [] : [taskView(task)]
  })

/** `hint` says the same as `resume`. */
const shownPause = ({ resume: _resume, ...shown }: PauseReason): StatusView['pause'] => shown

const taskView = (task: TaskState): TaskView => ({
  id: task.id,
  title: task.title,
  status: task.status,
  reason: task.reason,
  block: task.block,
  complexity: task.complexity,
  attempts: task.attempts,
  fixCycles: task.fixCycles,
  dependsOn: task.dependsOn,
  parent: task.parent,
  criteria: task.criteria,
  evidence: task.evidence.map(({ check, exitCode }) => ({ check, exitCode })),
  verified: task.status === 'done' && task.evidence.length > 0,
  score: task.verdict?.score ?? null,
  commit: task.commit,
  usage: usageView(task.usage),
  startedAt: task.startedAt,
  endedAt: task.endedAt,
})
