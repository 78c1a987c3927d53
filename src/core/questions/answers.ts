/**
 * Asks an agent one question until there is a final answer: repairs an invalid answer, retries once after a crash,
 * waits for limits, falls back to other agents. All progress is read from the ledger by deterministic ids; nothing is
 * stored elsewhere.
 */
import { agentTypeOf } from '../../model/agent-type.ts'
import { wayToLogIn } from '../../model/login.ts'
import { agentError, errorPolicy, isLimit, type AgentError } from '../../model/agent-error.ts'
import type { PauseReason } from '../../model/event.ts'
import type { ParsedField } from '../../model/loop.ts'
import { purposes, type Purpose } from '../../model/purposes.ts'
import { resultOf } from '../../model/recorded-result.ts'
import type { ResultOf } from '../../model/results.ts'
import type { LedgerEntry, RunState } from '../../model/state.ts'
import type { JudgedChange, TurnWork, WorkspaceId } from '../../model/work.ts'
import { ownerOf, tryAt } from '../../model/work-id.ts'
import { resumeAfter } from '../../model/resume-hint.ts'
import { remainingUsd } from '../policies/budget.ts'
import { environment, pause, want } from '../proposal.ts'
import { chain, route, type Chain, type Route } from '../policies/routing.ts'
import { agentSessionOf, type AgentSession } from '../work/agent-sessions.ts'
import { done, failed, notYet, wrongKind, type Step } from '../step.ts'
import { quotaEnd, wait } from '../work/waiting.ts'

export interface Query<P extends Purpose> {
  id: string
  purpose: P
  workspace: WorkspaceId
  task: string | null
  attempt: number
  tree: string | null
  /** The tree that a judge compares `tree` with. */
  base?: string | null
  /** Which turn of its kind this is, from 1; model schedules depend on it. */
  turn: number
  /** The agent that takes the turn, when the role does not decide it. */
  route?: Route
  /** The pass of a loop stage, from 1. */
  pass?: number
  /** The change that the agent judges. */
  judges?: JudgedChange
  /** Fields that the agent may also answer on lines of their own. */
  parse?: ParsedField[]
  /** The session of an earlier turn to continue. */
  session?: AgentSession | null
  /** Checks that the schema cannot express; returns the reasons why the answer is invalid. */
  objections?: (result: ResultOf<P>) => string[]
}

export interface Answer<R> {
  result: R
  /** The id of the turn that produced the result. */
  id: string
  /** Files that a read-only role changed. */
  edited: string[]
}

type Asked<R> = Step<Answer<R>, AgentError>

/** One try: the turn to take, and the result of the tries before it. */
interface Try extends Route {
  id: string
  /** Why the previous answer was invalid. Not empty: this is the repair turn. */
  errors: string[]
  retried: boolean
  waits: number
  lean: boolean
  session: AgentSession | null
}

export function ask<P extends Purpose>(state: RunState, query: Query<P>): Asked<ResultOf<P>> {
  const known = firstAnswer(state, query)
  if (known) return known
  const first = query.route ?? route(state.config, purposes[query.purpose].role, query.turn, query.attempt)
  const takers = chain(state.config, first, query.attempt)
  let attempt: Try = {
    id: query.id,
    agent: first.agent,
    model: first.model,
    errors: [],
    retried: false,
    waits: 0,
    lean: false,
    session: query.session ?? null,
  }
  for (;;) {
    const entry = state.ledger[ownerOf(attempt.id)]?.[attempt.id]
    if (!entry) return begin(state, query, attempt, takers)
    const next = react(state, query, { ...attempt, ...entry.by }, takers, entry)
    if ('status' in next) return next
    attempt = next
  }
}

/** The usual case, and by far the cheapest: the first try has answered. */
function firstAnswer<P extends Purpose>(
  { ledger }: RunState,
  { id, purpose, task, objections }: Query<P>,
): Asked<ResultOf<P>> | null {
  const outcome = ledger[ownerOf(task ?? id)]?.[id]?.outcome
  if (outcome?.kind !== 'turn' || outcome.status !== 'ok' || objections !== undefined) return null
  return done({ result: resultOf(purpose, outcome.result), id, edited: outcome.edited })
}

/** Starts the turn, or waits when its agent and all fallbacks are known to be out of quota. */
function begin<P extends Purpose>(state: RunState, query: Query<P>, attempt: Try, takers: Chain): Asked<ResultOf<P>> {
  const under = state.works[attempt.id]?.work
  if (under) return notYet(want(under))
  const isFree = (taker: Route): boolean => quotaEnd(state, taker) === null
  const free = [attempt, ...after(takers, attempt)].find(isFree)
  if (free) return notYet(want(turn(state, query, { ...attempt, agent: free.agent, model: free.model })))
  const limit = agentError(
    'usage_limit',
    `${attempt.agent} is out of quota`,
    soonest(takers.map((taker) => quotaEnd(state, taker))),
  )
  const retry = { question: query.id, nth: Math.max(1, attempt.waits), isForeseen: true } as const
  return (
    wait(state, { id: tryAt(attempt.id, 'quota'), ...retry }, state.lastAt, limit)
    ?? notYet(want(turn(state, query, { ...attempt, ...takers.find(isFree) })))
  )
}

/** Maps the outcome of a try to the final answer or to another try. */
function react<P extends Purpose>(
  state: RunState,
  query: Query<P>,
  attempt: Try,
  takers: Chain,
  { outcome, at }: LedgerEntry,
): Asked<ResultOf<P>> | Try {
  if (outcome.kind === 'failure') return notYet(pause(environment(outcome)))
  if (outcome.kind !== 'turn') return notYet(pause(environment(wrongKind(attempt.id, 'turn', outcome))))
  if (outcome.status === 'error') return afterError(state, query, attempt, takers, outcome.error, at)
  const objections =
    outcome.status === 'invalid' ? outcome.errors : (query.objections?.(resultOf(query.purpose, outcome.result)) ?? [])
  if (outcome.status === 'ok' && objections.length === 0)
    return done({ result: resultOf(query.purpose, outcome.result), id: attempt.id, edited: outcome.edited })
  if (attempt.errors.length > 0) return failed(badResponse(objections))
  const errors = objections.length > 0 ? objections : ['no answer']
  const session =
    outcome.sessionId === null ? null : agentSessionOf(state, ownerOf(attempt.id), outcome.sessionId, attempt.agent)
  return { ...attempt, id: tryAt(query.id, 'repair'), errors, session }
}

function afterError<P extends Purpose>(
  state: RunState,
  query: Query<P>,
  attempt: Try,
  takers: Chain,
  error: AgentError,
  at: string,
): Asked<ResultOf<P>> | Try {
  if (error.kind === 'session_not_found' && attempt.session !== null)
    return { ...attempt, id: tryAt(query.id, 'fresh'), session: null }
  switch (errorPolicy(error.kind)) {
    case 'pause':
      return notYet(pause(personNeeded(state, attempt.agent, error)))
    case 'retry':
      if (attempt.retried) return failed(error)
      return {
        ...attempt,
        id: tryAt(query.id, 'retry'),
        retried: true,
        ...(error.kind === 'context_overflow' ? { lean: true, session: null } : {}),
      }
    case 'wait': {
      const waits = attempt.waits + 1
      const again: Try = { ...attempt, ...takers[0], id: tryAt(query.id, `again${waits}`), waits }
      const [other] = isLimit(error.kind) ? after(takers, attempt) : []
      if (other) return { ...again, ...other }
      const ends = takers.map((taker) => (taker.agent === attempt.agent ? error.resetsAt : quotaEnd(state, taker)))
      const resetsAt = isLimit(error.kind) ? soonest(ends) : error.resetsAt
      const retry = { id: tryAt(query.id, `wait${waits}`), question: query.id, nth: waits }
      return wait(state, retry, at, { ...error, resetsAt }) ?? again
    }
  }
}

/** The fallback agents that come after this one. */
const after = (takers: Chain, { agent }: Route): Route[] =>
  takers.slice(takers.findIndex((taker) => taker.agent === agent) + 1)

/** The earliest time at which one of the agents has quota again; null when one of the times is unknown. */
function soonest(ends: readonly (string | null)[]): string | null {
  const known = ends.filter((end) => end !== null)
  return known.length < ends.length ? null : (known.toSorted()[0] ?? null)
}

function turn(
  state: RunState,
  query: Omit<Query<Purpose>, 'objections' | 'route'>,
  { id, agent, model, errors, lean, session }: Try,
): TurnWork {
  const { purpose, workspace, task, attempt, tree, base = null } = query
  const work: TurnWork = {
    kind: 'turn',
    id,
    slot: query.id,
    workspace,
    role: purposes[purpose].role,
    purpose,
    agent,
    model,
    task,
    attempt,
    errors,
    tree,
    base,
  }
  if (session !== null && session.agent === agent) work.session = { id: session.id, spent: session.spent }
  const budgetUsd = remainingUsd(state)
  if (budgetUsd !== null) work.budgetUsd = budgetUsd
  if (lean) work.lean = true
  if (query.pass !== undefined) work.pass = query.pass
  if (query.judges) work.judges = query.judges
  if (query.parse !== undefined && query.parse.length > 0) work.parse = query.parse
  if (state.session !== null) work.within = { session: state.session, ...stageAt(state) }
  return work
}

/** Outside a pipeline, the stage of the workflow is used for both fields. */
function stageAt({ pipeline, loop, stage }: RunState): { stage: string; type: string } {
  const current = pipeline?.stages[loop?.stage ?? 0]
  return current ? { stage: current.name, type: current.stage } : { stage: stage ?? '', type: stage ?? '' }
}

const badResponse = (errors: string[]): AgentError =>
  agentError('bad_response', `the answer was still invalid after its repair turn: ${errors.slice(0, 3).join('; ')}`)

function personNeeded({ config }: RunState, agent: string, error: AgentError): PauseReason {
  const detail = `${agent}: ${error.message}`
  if (error.kind !== 'auth') return { kind: 'config', detail, ...resumeAfter(`Fix the configuration of ${agent}`) }
  const way = wayToLogIn(agentTypeOf(agent, config.agents[agent] ?? {}))
  return { kind: 'auth', detail, ...resumeAfter(`Log in to ${agent}${way === null ? '' : `: ${way}`}`) }
}
