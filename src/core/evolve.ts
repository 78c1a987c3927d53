/**
 * evolve: how each event changes the state. Deterministic, total and cheap: it owns its state and mutates it.
 * It judges nothing. Whatever needs judgement was concluded by `decide` and comes in as an event of its own.
 */
import { afterRest, type CheckRecord, type Event, type EventType } from '../model/event.ts'
import type { AttemptState, LedgerEntry, RunState, TaskState } from '../model/state.ts'
import { parseTime } from '../model/time.ts'
import { noUsage } from '../model/usage.ts'
import { isLimit } from '../model/agent-error.ts'
import { quotaKey, type Route } from './policies/routing.ts'
import type { Outcome } from '../model/work.ts'
import { endIteration, endLoop, initialBacklog, initialLoop, noteTask, tryAgain } from './loop-progress.ts'
import {
  beginAnew,
  closeWave,
  noteDone,
  noteFailure,
  noteFlaky,
  notePass,
  noteProof,
  noteTree,
  noteTurn,
} from './convergence.ts'
import { convergenceHandlers } from './evolve-convergence.ts'
import { leaveWorkspaces } from './leave-workspaces.ts'
import { attemptOf, leaveRace } from './rivals.ts'
import { noteOutside } from './outside-changes.ts'
import { drop, ownerOf } from './owners.ts'
import { beginWork, endWork, noteAttempt } from './past.ts'
import { checkAgain, forgetWhatPaused, startOver, startsAsked, workStage } from './resuming.ts'
import { revoke } from './revoking.ts'
import { passTime, skipTime, stopClock } from './run-clock.ts'
import { isParkedBy } from './parking.ts'
import { settle, spend, spendFinally } from './spending.ts'
import { addTask, editTask, permit, setStatus } from './task-graph.ts'

export type Handlers = { [T in EventType]: (state: RunState, event: Event<T>) => void }

export function evolve(state: RunState, event: Event): RunState {
  if (!afterRest.has(event.type)) passTime(state, event.at, event.type === 'clock.jumped' ? event.ms : 0)
  const apply = handlers[event.type] as ((state: RunState, event: Event) => void) | undefined
  apply?.(state, event)
  state.seq = event.seq
  state.lastAt = event.at
  return state
}

export const handlers: Handlers = {
  ...convergenceHandlers,

  'run.started'(
    state,
    { run, goal, workflow, stages, config, base, branch, session = null, pipeline = null, prompt = null, at },
  ) {
    Object.assign(state, {
      run,
      goal,
      workflow,
      stages,
      config,
      base,
      branch,
      session,
      pipeline,
      prompt,
      status: 'running',
      startedAt: at,
      activeSince: at,
    })
  },

  'run.forked'(state, { from, config, at }) {
    leaveWorkspaces(state)
    for (const task of Object.values(state.tasks)) {
      task.usage = { ...noUsage }
      delete task.begunMs
    }
    delete state.outside
    const detail = `forked from ${from.run} at event ${from.seq}`
    Object.assign(state, {
      config,
      startedAt: at,
      endedAt: null,
      elapsedMs: 0,
      activeSince: null,
      waitedMs: 0,
      turns: 0,
      usage: { ...noUsage },
      works: {},
      spending: {},
      starts: {},
      status: 'paused',
      reason: detail,
      pause: { kind: 'user', detail, hint: 'Go on: looper resume' },
      request: null,
      applied: null,
      discardedAt: null,
    })
  },

  'run.paused'(state, { reason, at }) {
    stopClock(state, at)
    state.status = 'paused'
    state.reason = reason.detail
    state.pause = reason
    state.request = null
  },

  'run.resumed'(state, { limits, settings, at }) {
    const crashed = state.status === 'running'
    stopClock(state, state.lastAt)
    Object.assign(state.config.limits, limits)
    if (settings) {
      const { hooks, files, ...workspace } = settings
      Object.assign(state.config, { hooks, files, workspace: { ...state.config.workspace, ...workspace } })
    }
    if (state.status === 'failed') startOver(state)
    forgetWhatPaused(state)
    checkAgain(state)
    Object.assign(state, {
      status: 'running',
      reason: null,
      pause: null,
      request: null,
      endedAt: null,
      activeSince: at,
      applied: null,
      discardedAt: null,
    })
    // Whoever resumes a run that rested grants it more; starting again after a crash goes on as if nothing had
    // happened.
    if (crashed) return
    Object.assign(state, { reopening: true, waitedMs: 0, goalIteration: 0, conclusion: null, quotas: {} })
    tryAgain(state)
    beginAnew(state)
    if (state.stage === 'report') state.stage = state.plan.accepted || state.loop ? workStage(state) : null
  },

  'run.ended'(state, { status, reason, at }) {
    stopClock(state, at)
    state.active.slice().forEach((id) => layDown(state, id, at))
    Object.assign(state, { status, reason, endedAt: at, request: null, ledger: {}, starts: startsAsked(state) })
  },

  'run.applied'(state, { commit, onto, at }) {
    // Of a crashed run, the time since the crash is nobody's.
    stopClock(state, state.lastAt)
    state.applied = { commit, onto, at }
  },

  'run.discarded'(state, { at }) {
    stopClock(state, state.lastAt)
    state.discardedAt = at
  },

  'stage.entered'(state, { stage, conclusion }) {
    state.stage = stage
    state.conclusion = conclusion
    if (stage === 'execute') drop(state, 'plan')
    if (stage === 'report') drop(state, 'report')
    if (stage === 'backlog' || stage === 'loop') state.backlog ??= initialBacklog()
    if (stage === 'loop') state.loop ??= initialLoop()
    if (stage === 'gate') {
      state.gate = { round: state.gate.round + 1, checks: [], verdict: null }
      drop(state, 'gate')
    }
  },

  'stop.requested'(state, { how }) {
    const strength = { pause: 0, stop: 1, abort: 2 }
    if (state.request === null || strength[how] > strength[state.request]) state.request = how
  },

  'clock.jumped'(state, { ms, at }) {
    skipTime(state, ms, at)
  },

  'limits.changed'(state, { limits }) {
    Object.assign(state.config.limits, limits)
  },

  'plan.accepted'(state, { score }) {
    state.plan.accepted = true
    state.plan.score = score
    drop(state, 'backlog')
  },

  'plan.rejected'(state, { revision, score, feedback }) {
    state.plan = { ...state.plan, revision: revision + 1, score, feedback, verdict: null }
  },

  'task.added'(state, { task, origin, was }) {
    addTask(state, task, origin, was)
  },

  'task.edited'(state, { task: id, edit }) {
    const task = state.tasks[id]
    if (task) editTask(state, task, edit)
  },

  'source.looked'(state, { look, claimed, complete, problems, text }) {
    if (!state.backlog) return
    const { reviews, written, finished } = state.backlog
    const words = text === undefined ? {} : { text }
    state.backlog = { looks: look + 1, fresh: true, claimed, complete, problems, reviews, written, finished, ...words }
    drop(state, 'look')
  },

  'iteration.finished'(state, event) {
    if (!state.loop) return
    for (const owner of Object.keys(state.ledger)) if (owner.startsWith('loop')) drop(state, owner)
    notePass(state, event)
    endIteration(
      state.loop,
      event,
      state.config.checks.length > 0 && state.pipeline?.stages[event.stage]?.checks === true,
    )
  },

  'loop.finished'(state, event) {
    endLoop(state, event)
  },

  'backlog.reviewed'(state, { round, added }) {
    if (!state.backlog) return
    Object.assign(state.backlog, { reviews: round, complete: added === 0 })
    drop(state, 'backlog')
  },

  'task.started'(state, { task: id, attempt: n, agent, wave, lane, at }) {
    const task = state.tasks[id]
    if (!task) return
    task.attempts = n
    task.attemptsLeft--
    task.startedAt ??= at
    beginWork(state, task, at)
    task.next = null
    const attempt: AttemptState = {
      n,
      agent,
      startedAt: at,
      round: 0,
      base: null,
      tree: null,
      failure: null,
      checks: [],
      verdict: null,
      ...(lane ? { lane } : {}),
    }
    if (lane !== undefined && task.attempt) {
      task.rivals = [...(task.rivals ?? []), attempt]
      return
    }
    task.attempt = attempt
    state.wave = wave
    state.waveTasks.push(id)
    if (state.backlog) Object.assign(state.backlog, { claimed: null, fresh: false, complete: false })
    setStatus(state, task, 'doing')
  },

  'task.reopened'(state, { tasks, why }) {
    for (const id of tasks) {
      const task = state.tasks[id]
      if (!task) continue
      task.attemptsLeft = Math.max(task.attemptsLeft, granted(state, task, why))
      Object.assign(task, { reason: null, block: null, next: null, attempt: null, endedAt: null, conflicts: 0 })
      delete task.held
      drop(state, id)
      setStatus(state, task, 'todo')
    }
    if (why === 'goal-iteration') state.goalIteration++
    if (why === 'resumed') state.reopening = false
  },

  'task.finished'(state, event) {
    const { task: id, status, reason, block, evidence, commit, summary, at } = event
    const task = state.tasks[id]
    if (!task) return
    noteTask(state, event)
    if (task.attempt?.proof && status === 'done') noteProof(task, task.attempt)
    endWork(state, task, at)
    if (task.race && task.attempt?.n === task.race.winner) task.race.fixes = task.attempt.round
    Object.assign(task, {
      reason,
      block,
      evidence,
      commit,
      summary,
      endedAt: at,
      verdict: task.attempt?.verdict ?? task.verdict,
      attempt: null,
      next: null,
    })
    delete task.rivals
    delete task.begun
    // A person who skips a task of another actor does not free it in its source.
    if (status !== 'cancelled' || event.by === 'source' || task.held !== 'taken') delete task.held
    if (status === 'blocked') task.doneBefore = state.backlog?.finished ?? 0
    if (status === 'blocked' && event.by === 'source') task.held = event.taken ? 'taken' : 'blocked'
    if (status === 'done' && event.by !== 'source' && state.backlog) state.backlog.finished++
    if (status === 'done' && event.by !== 'source') noteDone(state, task, event)
    if (status === 'done') state.recent = [...state.recent.filter((each) => each !== id), id].slice(-mostRecent)
    drop(state, id)
    setStatus(state, task, status)
  },

  'attempt.fixing'(state, { task: id, attempt: n, fix, failure, base, tree }) {
    const task = state.tasks[id]
    const attempt = attemptOf(task, n)
    if (!task || !attempt) return
    task.fixCycles++
    Object.assign(attempt, { round: fix, failure, checks: [], verdict: null, base, tree })
    if (failure.kind === 'conflict') attempt.conflicted = true
    delete attempt.proof
    delete attempt.unproven
  },

  'attempt.failed'(state, event) {
    const { task: id, failure, next } = event
    const task = state.tasks[id]
    if (!task) return
    noteAttempt(state, task, event)
    if (failure.kind === 'conflict') task.conflicts++
    // Of a race, only its end is a failure.
    if (next === 'none') {
      leaveRace(task, event.attempt)
      return
    }
    noteFailure(state, event)
    task.verdict = task.attempt?.verdict ?? task.verdict
    task.attempt = null
    task.next = next
    drop(state, id)
    if (next === 'retry') {
      task.attemptsLeft = Math.max(task.attemptsLeft, 1)
      setStatus(state, task, 'todo')
    }
  },

  'wave.closed'(state, event) {
    state.waveTasks = []
    closeWave(state, event)
    if (event.next) return
    // What is left red is looked at again under the same ids when a person lets the run go on.
    if (state.convergence.red.length > 0) delete state.ledger[`wave${event.wave}`]
    else drop(state, `wave${event.wave}`)
  },

  'work.started'(state, { work, at }) {
    const starts = (state.starts[work.id] ?? 0) + 1
    state.starts[work.id] = starts
    state.works[work.id] = { work, at, starts }
    if (work.kind === 'turn') state.turns++
    noteTurn(state, work)
  },

  'work.finished'(state, { id, outcome, at }) {
    const started = state.works[id]
    if (!started) return
    delete state.works[id]
    if (state.unwrapped) delete state.unwrapped[id]
    const { work } = started
    if (outcome.kind === 'turn') spendFinally(state, id, outcome, work.kind === 'turn' ? work.task : null)
    // What is being written has not been in vain yet.
    if (work.kind === 'sync' && work.write !== null && outcome.kind === 'sync' && state.backlog) state.backlog.written++
    settle(state, id)
    if (outcome.kind === 'prepare' || outcome.kind === 'inspect') noteTree(state, outcome, ownerOf(id))
    const entry: LedgerEntry = { outcome, at }
    if (work.kind === 'turn') {
      entry.by = { agent: work.agent, model: work.model }
      noteQuota(state, entry.by, outcome)
    }
    ;(state.ledger[ownerOf(id)] ??= book())[id] = entry
  },

  'work.lost'(state, { id, why, revokes }) {
    delete state.works[id]
    settle(state, id)
    if (revokes !== undefined) revoke(state, id, { seq: revokes, why })
  },

  'check.finished'(state, event) {
    const { type: _type, seq: _seq, at: _at, ...record } = event
    const { check, flaky, task } = record
    if (flaky) noteFlaky(state, check, flaky, task)
    if (record.task === null) noteWhole(state.stage === 'loop' && state.loop ? state.loop : state.gate, record)
    else attemptOf(state.tasks[record.task], record.attempt)?.checks.push(record)
  },

  'verdict.given'(state, { subject, verdict }) {
    if (subject.kind === 'plan') state.plan.verdict = verdict
    else if (subject.kind === 'goal') state.gate.verdict = verdict
    else if (subject.kind === 'wave') state.waveReviewed = subject.wave
    else {
      const attempt = attemptOf(state.tasks[subject.task], subject.attempt)
      if (attempt) attempt.verdict = verdict
    }
  },

  'finding.raised'(state, { severity, title, detail, task, origin }) {
    state.findings.push({ severity, title, detail, task, origin })
  },

  'decision.recorded'(state, { decision }) {
    state.decisions.push(decision)
  },

  'question.asked'(state, { question }) {
    state.questions.push({ ...question, answer: null, by: null })
  },

  'question.answered'(state, { question: id, answer, by, allows }) {
    const question = state.questions.find((candidate) => candidate.id === id)
    if (question) Object.assign(question, { answer, by })
    if (question && allows) permit(state, question.blocks, allows)
  },

  'outside.changed': noteOutside,

  'budget.spent'(state, { work: id, usage }) {
    const started = state.works[id]
    if (started?.work.kind === 'turn') spend(state, id, usage, started.work.task)
  },
}

/** Of the whole, what was seen last counts. */
function noteWhole(known: { checks: CheckRecord[] }, record: CheckRecord): void {
  known.checks = [...known.checks.filter(({ round }) => round === record.round), record]
}

const mostRecent = 8

/**
 * An object whose keys are all different from those of any other: with a prototype, each key would get a shape of its
 * own.
 */
const book = (): Record<string, LedgerEntry> => Object.create(null) as Record<string, LedgerEntry>

/** What one turn learns about a quota spares the others of asking. */
function noteQuota(state: RunState, by: Route, outcome: Outcome): void {
  if (outcome.kind !== 'turn') return
  if (outcome.quotas !== undefined) state.allowances[by.agent] = outcome.quotas
  const key = quotaKey(by)
  const until =
    outcome.status === 'error' && isLimit(outcome.error.kind) && outcome.error.resetsAt !== null
      ? parseTime(outcome.error.resetsAt)
      : null
  if (until !== null) state.quotas[key] = until
  else if (outcome.status !== 'error') delete state.quotas[key]
}

/** A person's word is worth new attempts; a default answer is not, or an agent could ask for ever. */
function granted(state: RunState, task: TaskState, why: Event<'task.reopened'>['why']): number {
  const most = state.config.limits.attempts ?? Number.MAX_SAFE_INTEGER
  if (why === 'resumed' || why === 'asked' || why === 'source') return most
  if (why === 'goal-iteration') return Math.min(1, most)
  if (why !== 'answered') return 0
  return state.questions.some(
    (asked) => asked.by === 'person' && asked.blocks.includes(task.id) && isParkedBy(task, asked),
  )
    ? 1
    : 0
}

/** The run is over in the middle of an attempt: if it is ever resumed, the task begins a new one. */
function layDown(state: RunState, id: string, at: string): void {
  const task = state.tasks[id]
  if (!task) return
  Object.assign(task, { attempt: null, next: null, attemptsLeft: Math.max(task.attemptsLeft, 1) })
  delete task.rivals
  endWork(state, task, at)
  setStatus(state, task, 'todo')
}
