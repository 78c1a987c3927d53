/** What follows when a question has no answer yet, or gets none. */
import type { AgentError } from '../../model/agent-error.ts'
import { errorLine } from '../policies/error-line.ts'
import { conclude, type Proposal } from '../proposal.ts'
import type { Failed, NotYet } from '../step.ts'

export const unanswered = (answer: NotYet | Failed<AgentError>, fail: (error: AgentError) => Proposal): Proposal =>
  answer.status === 'not-yet' ? answer.proposal : fail(answer.failure)

/** For questions without whose answer the run cannot continue. */
export const failsRun =
  (what: string) =>
  ({ kind, message }: AgentError): Proposal =>
    conclude({ status: 'failed', reason: `${what}: ${kind}: ${errorLine(message)}` })
