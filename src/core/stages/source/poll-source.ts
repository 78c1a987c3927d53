/** Polls the task source of a run and records what the poll found. */
import { LooperError } from '../../../model/error.ts'
import type { PauseReason } from '../../../model/pause.ts'
import { nameSource } from '../../../model/source.ts'
import type { BacklogState, RunState } from '../../../model/state.ts'
import type { SyncWork } from '../../../model/work.ts'
import { pollId, tryAt } from '../../../model/work-id.ts'
import { resumeAfter } from '../../../model/resume-hint.ts'
import { hasOwnGoal } from '../../policies/own-goal.ts'
import { sourceChanges } from '../../policies/source-changes.ts'
import { environment, pause, record, want, type Proposal } from '../../proposal.ts'
import { findTask, taskOf } from '../../tasks/task-graph.ts'
import { wait } from '../../work/waiting.ts'
import { taskBlocked } from '../../tasks/task-ends.ts'

/** Records the result of the last poll before anything else is decided. */
export function recordPoll(state: RunState, { polls, complete: before }: BacklogState): Proposal | null {
  const outcome = Object.values(state.ledger['look'] ?? {})
    .map((entry) => entry.outcome)
    .find((each) => each.kind === 'sync')
  if (!outcome) return null
  const { claim, problems, complete } = outcome
  const facts = problems.length > 0 ? [] : sourceChanges(state, outcome)
  const taken =
    claim !== null && !claim.ok && findTask(state, claim.task)?.status === 'todo' ? taskOf(state, claim.task) : null
  if (taken) {
    facts.push(taskBlocked(taken.id, 'another actor has taken it', 'external', { by: 'source', taken: true }))
  }
  return record(...facts, {
    type: 'source.polled',
    poll: polls,
    changes: facts.length,
    claimed: claim?.ok ? claim.task : null,
    problems,
    ...(outcome.text === undefined ? {} : { text: outcome.text }),
    // The mark `complete` from an earlier run is valid until this run starts a task. With a new goal it is ignored.
    complete: polls === 0 ? complete && !hasOwnGoal(state) : before,
  })
}

/** Polls the source. An outage is retried with growing, limited waits. */
export function poll(
  state: RunState,
  { polls }: BacklogState,
  claim: string | null,
  write: SyncWork['write'] = null,
): Proposal {
  for (let tried = 0; ; tried++) {
    const id = tried === 0 ? pollId(polls) : tryAt(pollId(polls), `again${tried}`)
    const entry = state.ledger['look']?.[id]
    if (!entry) return want({ kind: 'sync', id, claim, write, ...(tried === 0 ? {} : { repeats: pollId(polls) }) })
    const { outcome, at } = entry
    // `recordPoll` records a poll that has succeeded, and the next poll has another id.
    if (outcome.kind !== 'failure') throw new LooperError('BUG_INVARIANT', `The poll ${id} was not recorded`)
    if (outcome.code !== 'ENVIRONMENT_SOURCE') return pause(environment({ hint: fixOf(state), ...outcome }))
    const nth = tried + 1
    const retry = { id: tryAt(pollId(polls), `wait${nth}`), question: pollId(polls), nth }
    const waiting = wait(state, retry, at, { kind: 'network', message: outcome.message, resetsAt: null })
    if (waiting) return waiting.proposal
  }
}

export const broken = (state: RunState, [first]: readonly string[]): PauseReason => ({
  kind: 'setup',
  detail: `the backlog cannot be read, so it was left alone: ${first}`,
  ...resumeAfter(fixOf(state)),
})

const fixOf = ({ config }: RunState): string => `Fix ${nameSource(config.source, config.backlog)}`
