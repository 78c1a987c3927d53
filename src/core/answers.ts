/**
 * One question to an agent, from first asking to final answer: repair of an invalid answer, one retry after a crash,
 * waiting out limits, falling back. Everything is read off the ledger by deterministic ids; nothing is remembered elsewhere.
 */
import { errorPolicy, type AgentError } from '../model/agent-error.ts'
import type { PauseReason } from '../model/event.ts'
import type { Role, Purpose } from '../model/role.ts'
import type { LedgerEntry, RunState } from '../model/state.ts'
import { addMs, msBetween, parseTime } from '../model/time.ts'
import type { Outcome, Work, WorkspaceId } from '../model/work.ts'
import { ownerOf } from './evolve.ts'
import { limitReached } from './policies/budget.ts'
import { fallback, route, type Route } from './policies/routing.ts'

export interface Query<R> {
  id: string
  role: Role
  purpose: Purpose
  workspace: WorkspaceId
  task: string | null
  attempt: number
  tree: string | null
  /** What a judge compares the tree with. */
  base?: string | null
  /** Drives schedules: which turn of its kind this is, from 1. */
  turn: number
  /** What the schema cannot see: returns why the answer makes no sense. */
  objections?: (result: R) => string[]
}

export type Answer<R> =
  | { status: 'pending'; work: Work }
  | { status: 'answered'; result: R; id: string; edited: string[] }
  | { status: 'failed'; error: AgentError }
  | { status: 'paused'; reason: PauseReason }

export type Unanswered = Exclude<Answer<unknown>, { status: 'answered' }>

export const outcomeOf = (state: RunState, id: string): Outcome | undefined => state.ledger[ownerOf(id)]?.[id]?.outcome

/** One try: the turn that was or is to be taken, and what led to it. */
interface Try extends Route {
  id: string
  /** Why the answer before was invalid; makes this the repair turn. */
  errors: string[]
  retried: boolean
  waits: number
}

/** The shell validated `result` against the role's schema, so the caller may name its type. */
export function ask<R>(state: RunState, query: Query<R>): Answer<R> {
  const first = route(state.config, query.role, query.turn, query.attempt)
  let attempt: Try = { id: query.id, ...first, errors: [], retried: false, waits: 0 }
  for (;;) {
    const entry = state.ledger[ownerOf(attempt.id)]?.[attempt.id]
    if (!entry) return { status: 'pending', work: turn(query, attempt) }
    const next = react(state, query, attempt, first, entry)
    if ('status' in next) return next
    attempt = next
  }
}

/** What a try's outcome leads to: the final answer, or another try. */
function react<R>(state: RunState, query: Query<R>, attempt: Try, first: Route, { outcome, at }: LedgerEntry): Answer<R> | Try {
  if (outcome.kind !== 'turn') return { status: 'paused', reason: environment(outcome.kind === 'failure' ? outcome.message : 'no turn') }
  if (outcome.status === 'error') return afterError(state, query, attempt, first, outcome.error, at)
  const objections = outcome.status === 'invalid' ? outcome.errors : (query.objections?.(outcome.result as R) ?? [])
  if (outcome.status === 'ok' && objections.length === 0) return { status: 'answered', result: outcome.result as R, id: attempt.id, edited: outcome.edited }
  if (attempt.errors.length > 0) return { status: 'failed', error: badResponse(objections) }
  return { ...attempt, id: `${query.id}.repair`, errors: objections.length > 0 ? objections : ['no answer'] }
}

function afterError<R>(state: RunState, query: Query<R>, attempt: Try, first: Route, error: AgentError, at: string): Answer<R> | Try {
  switch (errorPolicy(error.kind)) {
    case 'pause':
      return { status: 'paused', reason: personNeeded(attempt.agent, error) }
    case 'retry':
      return attempt.retried ? { status: 'failed', error } : { ...attempt, id: `${query.id}.retry`, retried: true }
    case 'wait': {
      const waits = attempt.waits + 1
      const again: Try = { ...attempt, ...first, id: `${query.id}.again${waits}`, waits }
      const other = state.config.onUsageLimit === 'fallback' ? fallback(state.config, first.agent, waits) : null
      return other ? { ...again, ...other } : (wait(state, `${query.id}.wait${waits}`, at, waits, error) ?? again)
    }
  }
}

function turn(query: Omit<Query<unknown>, 'objections'>, { id, agent, model, errors }: Try): Work {
  const { role, purpose, workspace, task, attempt, tree, base = null } = query
  return { kind: 'turn', id, slot: query.id, workspace, role, purpose, agent, model, task, attempt, errors, tree, base }
}

const badResponse = (errors: string[]): AgentError => ({
  kind: 'bad_response',
  message: `the answer was still invalid after its repair turn: ${errors.slice(0, 3).join('; ')}`,
  resetsAt: null,
})

function wait(state: RunState, id: string, since: string, nth: number, error: AgentError): Unanswered | null {
  if (outcomeOf(state, id)) return null
  const under = state.works[id]
  if (under) return { status: 'pending', work: under.work }
  if (state.config.onUsageLimit === 'pause' && (error.kind === 'usage_limit' || error.kind === 'rate_limited')) {
    return { status: 'paused', reason: { kind: 'wait', detail: `${error.kind}: ${error.message}`, hint: 'Go on later: looper resume' } }
  }
  const soonest = addMs(since, backoffMs(nth, id))
  const told = error.resetsAt === null ? null : parseTime(error.resetsAt)
  // A reset that is over already cannot be what holds the agent up.
  const until = told !== null && told > since ? told : soonest
  const { waitMinutes } = state.config.limits
  const total = state.waitedMs + Math.max(0, msBetween(since, until))
  if (waitMinutes !== null && total > waitMinutes * 60_000) {
    return { status: 'paused', reason: limitReached(`the limit of ${waitMinutes} min of waiting (${error.kind})`, 'looper resume --wait-minutes <more>') }
  }
  return { status: 'pending', work: { kind: 'wait', id, until } }
}

/** 5 s, 10 s, 20 s … up to 10 min, spread by up to a quarter: the id is the dice, so that replay throws the same. */
function backoffMs(nth: number, id: string): number {
  let hash = 0
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) >>> 0
  const full = Math.min(600_000, 5_000 * 2 ** (nth - 1))
  return Math.round(full * (1 + (hash % 1000) / 4000))
}

function personNeeded(agent: string, error: AgentError): PauseReason {
  const hint = error.kind === 'auth' ? `Log in to ${agent}, then: looper resume` : `Mend the configuration of ${agent}, then: looper resume`
  return { kind: error.kind === 'auth' ? 'auth' : 'config', detail: `${agent}: ${error.message}`, hint }
}

export const environment = (message: string): PauseReason => ({ kind: 'setup', detail: message, hint: 'Mend it, then: looper resume' })
