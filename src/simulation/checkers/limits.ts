/** Laws of limits: concurrency, rungs of the ladder, and the budget. */
import { errorPolicy } from '../../model/agent-error.ts'
import type { Event } from '../../model/event.ts'
import { iterationsOf } from '../../model/loop.ts'
import type { RunState } from '../../model/state.ts'
import { addUsage, noUsage, subtractUsage, type Usage } from '../../model/usage.ts'
import { isRetryWait, verificationWorkspace, type Outcome, type WaitWork, type Work } from '../../model/work.ts'
import { attemptId, isBelow, isFromPlan, isTry, ownerOf, questionOf, stepId } from '../../model/work-id.ts'
import type { Checker, Report } from '../checker.ts'
import type { Step } from '../witness.ts'
import { isSatisfied } from './journal.ts'

/** A task starts only when all its dependencies are done. */
export const dependencies: Checker = {
  law: 'dependencies',
  watch: (_history, report) => ({
    before(event, state) {
      if (event.type !== 'task.started') return
      for (const id of state.tasks[event.task]?.dependsOn ?? []) {
        if (!isSatisfied(state, id))
          report(`${event.task} starts although ${id} is ${state.tasks[id]?.status ?? 'unknown'}`, event.seq)
      }
    },
  }),
}

const attemptsAt = ({ tasks }: RunState, id: string): number =>
  (tasks[id]?.attempt ? 1 : 0) + (tasks[id]?.racers?.length ?? 0)

/** Concurrent tasks, checks and merges stay within their limits, and no two processes work in one workspace. */
export const slots: Checker = {
  law: 'slots',
  watch({ steps, scenario: { config, faults } }, report) {
    return {
      after(event, state) {
        const attempts = state.active.reduce(
          (sum, id) => sum + (isLanding(state, id) ? 0 : Math.max(1, attemptsAt(state, id))),
          0,
        )
        if (event.type === 'task.started' && attempts > config.parallel)
          report(`${attempts} of ${config.parallel} attempts run`, event.seq)
        const { length } = state.active
        if (length > 2 * config.parallel) report(`${length} tasks are under way, of ${config.parallel}`, event.seq)
        if (event.type !== 'work.started') return
        const works = Object.values(state.works).map(({ work }) => work)
        const turns = works.filter((work) => work.kind === 'turn' && work.task !== null).length
        if (turns > config.parallel) report(`${turns} turns of ${config.parallel} run`, event.seq)
        const checks = works.filter(({ kind }) => kind === 'check').length
        if (checks > config.checksParallel) report(`${checks} checks of ${config.checksParallel} run`, event.seq)
        if (works.filter(({ kind }) => kind === 'integrate').length > 1) report('two merges are under way', event.seq)
        const here = (work: RunState['works'][string]['work']): string | null =>
          'workspace' in work && work.workspace !== verificationWorkspace
            ? config.workspace.mode === 'in-place'
              ? 'checkout'
              : work.workspace
            : null
        const busy = works.filter((work) => here(work) !== null && here(work) === here(event.work))
        if (busy.length > 1) report(`${busy.map(({ id }) => id).join(' and ')} share a workspace`, event.seq)
      },
      end() {
        // Without the lock, nothing separates the processes of two engines.
        if (!faults.some(({ kind }) => kind === 'rival')) shareFolder(steps, report)
      },
    }
  },
}

/**
 * Reports two concurrent processes in one folder, including verification workspaces: they would see each other's
 * changes.
 */
function shareFolder(steps: readonly Step[], report: Report): void {
  const busy = new Map<string, Extract<Step, { kind: 'process' }>>()
  for (const step of steps) {
    if (step.kind === 'process') {
      const other = busy.get(step.place)
      if (other) report(`${step.work.id} begins in the folder of ${other.work.id}`, step.durable)
      busy.set(step.place, step)
    } else if (step.kind === 'process-over') {
      const isOver = ({ work, starts }: Extract<Step, { kind: 'process' }>): boolean =>
        work.id === step.id && starts === step.starts
      for (const [place, process] of busy) if (isOver(process)) busy.delete(place)
    }
  }
}

/** The agent is done and the merge has begun or is next: in a worktree such an attempt needs no slot. */
function isLanding({ tasks, ledger, works, config }: RunState, id: string): boolean {
  const { attempt } = tasks[id] ?? {}
  if (!attempt || config.workspace.mode === 'in-place' || config.parallel === 1) return false
  const isOver = ledger[id]?.[stepId(attemptId(id, attempt.n), 'inspect', attempt.round)] !== undefined
  return isOver && !Object.values(works).some(({ work }) => work.kind === 'turn' && work.task === id)
}

/**
 * Every loop is bounded: fixes, attempts, splits, goal iterations, revisions, waves, repairs, retries and waits; in a
 * backlog, reviews and rewrites of the backlog; in a pipeline, passes and consecutive failed or blocked passes.
 */
export const caps: Checker = {
  law: 'caps',
  watch(_history, report) {
    const within = (what: string, used: number, limit: number | null, seq: number): void => {
      if (limit !== null && used > limit) report(`${what}: ${used} of ${limit}`, seq)
    }
    const granted = new Map<string, number>()
    const used = new Map<string, number>()
    const repairs = new Map<string, number>()
    const count = (map: Map<string, number>, key: string, more = 1): number => {
      map.set(key, (map.get(key) ?? 0) + more)
      return map.get(key) ?? 0
    }
    const grantAgain = (id: string): void =>
      void granted.set(id, Math.max(granted.get(id) ?? 0, (used.get(id) ?? 0) + 1))
    let goalIterations = 0
    let waitedMs = 0
    let writings = 0
    let newTasks = 0
    const row = { passes: 0, failed: 0, blocked: 0 }
    const passOver = ({ status, stage, name, seq }: Event<'iteration.finished'>, { pipeline }: RunState): void => {
      const known = pipeline?.stages[stage]
      Object.assign(row, {
        passes: row.passes + (status === 'failed' ? 0 : 1),
        failed: status === 'failed' ? row.failed + 1 : 0,
        blocked: status === 'blocked' ? row.blocked + 1 : status === 'failed' ? row.blocked : 0,
      })
      within(`passes of ${name}`, row.passes, known ? iterationsOf(known) : 0, seq)
      within(`failed passes of ${name} in a row`, row.failed, mostInARow.failed, seq)
      within(`blocked passes of ${name} in a row`, row.blocked, mostInARow.blocked, seq)
    }
    return {
      before(event, state) {
        const { limits } = state.config
        const { seq } = event
        waitedMs += waitedBefore(event, state)
        switch (event.type) {
          case 'run.resumed':
            // A person's resume resets all limits; a restart after a crash resets none.
            if (state.status === 'running') return
            goalIterations = 0
            waitedMs = 0
            writings = 0
            Object.assign(row, { failed: 0, blocked: 0 })
            repairs.clear()
            return
          case 'backlog.reviewed':
            return within('reviews', event.round, limits.goalIterations, seq)
          case 'iteration.finished':
            return passOver(event, state)
          case 'loop.finished':
            return void Object.assign(row, { passes: 0, failed: 0, blocked: 0 })
          case 'run.ended':
            for (const id of state.active) count(granted, id)
            return
          case 'attempt.fixing':
            return within(`fixes of ${event.task}`, event.fix, limits.fixCycles, seq)
          case 'task.added':
            granted.set(event.task.id, limits.attempts ?? Infinity)
            if (isByAgent(event)) within('tasks added by agents', ++newTasks, limits.newTasks ?? null, seq)
            return within(`depth of ${event.task.id}`, event.task.depth, limits.splitDepth, seq)
          case 'task.reopened':
            if (event.why === 'goal-iteration') within('goal iterations', ++goalIterations, limits.goalIterations, seq)
            for (const id of event.tasks) count(granted, id, grantOf(event.why, limits.attempts))
            return
          case 'attempt.failed':
            // A conflict is not the task's fault, so the task gets one more attempt.
            if (event.failure.kind === 'conflict' && event.next === 'retry') count(granted, event.task)
            return
          case 'task.undone':
            return grantAgain(event.task)
          case 'rolled.back':
            // Each undone task gets one more attempt; running attempts are cancelled and do not count.
            event.tasks.forEach(grantAgain)
            for (const id of state.active) count(used, id, -attemptsAt(state, id))
            return
          case 'task.started':
            within('waves', event.wave, limits.iterations, seq)
            return within(`attempts at ${event.task}`, count(used, event.task), granted.get(event.task) ?? 0, seq)
          case 'plan.rejected':
            return within('plan revisions', event.revision + 1, limits.planRevisions, seq)
          case 'work.started':
            if (isAnswered(event.work, state)) report(`${event.work.id} asks what was answered`, seq)
            if (!isLifting(event.work) || limits.waitMinutes === null) return
            return within(
              'ms of waiting',
              waitedMs + Math.max(0, msTo(event.work.until, event.at)),
              limits.waitMinutes * 60_000,
              seq,
            )
          case 'work.finished': {
            const work = state.works[event.id]?.work
            if (work?.kind === 'sync' && work.write !== null && event.outcome.kind === 'sync') writings++
            within('writings of the backlog', writings, limits.planRevisions, seq)
            const kind = (['repair', 'retry'] as const).find((each) => isTry(event.id, each))
            if (kind === undefined || !state.works[event.id] || isPutOff(event.outcome)) return
            within(`${kind} turns of ${event.id}`, count(repairs, event.id), 1, seq)
            return
          }
          default:
        }
      },
    }
  },
}

/** Whether an agent discovered the task: it was neither planned, nor split off, nor added by a person. */
const isByAgent = ({ task, origin }: Event<'task.added'>): boolean =>
  task.parent === null
  && !isFromPlan(origin)
  && !isBelow(origin, 'command')
  && origin !== 'scaffold'
  && origin !== 'source'

/**
 * Waits for a limit to be lifted. Other waits end at the run's time limit or after a delay that the user configured.
 */
const isLifting = (work: Work): work is WaitWork => work.kind === 'wait' && isRetryWait(work)

/** Concurrent waits count once, and time without an engine does not count. */
const waitedBefore = (event: Event, { works, lastAt }: RunState): number =>
  event.type !== 'run.resumed' && Object.values(works).some(({ work }) => isLifting(work))
    ? Math.max(0, msTo(event.at, lastAt) - (event.type === 'clock.jumped' ? event.ms : 0))
    : 0

const msTo = (end: string, start: string): number => Date.parse(end) - Date.parse(start)

/**
 * Whether the question already has an answer. Then only a repair turn may ask again, because the answer was invalid.
 */
function isAnswered(work: Work, { ledger }: RunState): boolean {
  if (work.kind !== 'turn' || work.errors.length > 0) return false
  const known = Object.entries(ledger[ownerOf(work.id)] ?? {})
  return known.some(
    ([id, { outcome }]) => questionOf(id) === work.slot && outcome.kind === 'turn' && outcome.status === 'ok',
  )
}

/** The turn hit a limit or needed a person's fix, so the question was asked once more. */
const isPutOff = (outcome: Outcome): boolean =>
  outcome.kind === 'turn' && outcome.status === 'error' && errorPolicy(outcome.error.kind) !== 'retry'

/** A person's request grants attempts; a mere change of the task grants none. */
function grantOf(why: Event<'task.reopened'>['why'], attempts: number | null): number {
  if (why === 'resumed' || why === 'asked' || why === 'source') return attempts ?? Infinity
  return why === 'changed' || why === 'cooldown' ? 0 : 1
}

/** After this many in a row, a stage fails or waits for a person. */
const mostInARow = { failed: 3, blocked: 2 }

/** No turn starts when the spent amount plus the reservations for running turns reaches a limit. */
export const budget: Checker = {
  law: 'budget',
  watch(_history, report) {
    const told = new Map<string, Usage>()
    let total: Usage = { ...noUsage }
    let dearest: Usage = { ...noUsage }
    let turns = 0
    const spend = (id: string, usage: Usage): void => {
      total = addUsage(total, subtractUsage(usage, told.get(id) ?? noUsage))
      told.set(id, usage)
    }
    const over = (id: string): void => {
      const usage = told.get(id)
      if (usage) dearest = mostOf(dearest, usage)
      told.delete(id)
    }
    const mayStart = (event: Event<'work.started'>, state: RunState): void => {
      const { limits } = state.config
      const open = Object.values(state.works)
        .filter(({ work }) => work.kind === 'turn')
        .map(({ work }) => told.get(work.id) ?? noUsage)
      const reserved = (price: (usage: Usage) => number): number =>
        open.reduce((sum, usage) => sum + Math.max(0, price(dearest) - price(usage)), 0)
      const tokens = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens
      const cost = ({ costUsd }: Usage): number => costUsd
      const reached = (what: string, value: number, limit: number | null): void => {
        if (limit !== null && value >= limit)
          report(`${event.work.id} starts with ${what} at ${value} of ${limit}`, event.seq)
      }
      reached('turns', turns, limits.turns)
      reached('cost', cost(total) + reserved(cost) - 1e-9, limits.costUsd)
      reached('tokens', tokens(total) + reserved(tokens), limits.tokens)
    }
    return {
      before(event, state) {
        if (event.type === 'work.started' && event.work.kind === 'turn') {
          mayStart(event, state)
          turns++
        }
        if (event.type === 'budget.spent' && state.works[event.work]) spend(event.work, event.usage)
        if (event.type === 'work.finished' && event.outcome.kind === 'turn' && state.works[event.id])
          spend(event.id, event.outcome.usage)
        if (event.type === 'work.finished' || event.type === 'work.lost') over(event.id)
      },
      end(state) {
        if (Math.abs(total.costUsd - state.usage.costUsd) > 1e-6)
          report(`$${state.usage.costUsd} is counted of $${total.costUsd}`)
      },
    }
  },
}

const mostOf = (a: Usage, b: Usage): Usage => ({
  inputTokens: Math.max(a.inputTokens, b.inputTokens),
  outputTokens: Math.max(a.outputTokens, b.outputTokens),
  costUsd: Math.max(a.costUsd, b.costUsd),
})
