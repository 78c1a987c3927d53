/** What follows when a question has no answer yet, or will never have one. */
import type { AgentError } from '../model/agent-error.ts'
import type { Unanswered } from './answers.ts'
import { errorLine } from './policies/error-line.ts'
import { conclude, pause, want, type Proposal } from './proposal.ts'

export function unanswered(answer: Unanswered, failed: (error: AgentError) => Proposal): Proposal {
  switch (answer.status) {
    case 'pending':
      return want(answer.work)
    case 'paused':
      return pause(answer.reason)
    case 'failed':
      return failed(answer.error)
  }
}

/** For questions that the whole run hangs on. */
export const failsRun =
  (what: string) =>
  ({ kind, message }: AgentError): Proposal =>
    conclude({ status: 'failed', reason: `${what}: ${kind}: ${errorLine(message)}` })
