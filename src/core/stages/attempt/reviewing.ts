/** Agents judge an attempt: the tester tests it, the supervisor gives a verdict. */
import type { Failure } from '../../../model/event.ts'
import type { TesterResult } from '../../../model/results.ts'
import { ask } from '../../questions/answers.ts'
import { judge, remarksOf } from '../../policies/escalation.ts'
import { conclude, record, recordAny, type Proposal } from '../../proposal.ts'
import { caughtEditing } from '../../questions/questions.ts'
import { unanswered } from '../../questions/unanswered.ts'
import { judges } from './judging.ts'
import { changeOf, fail, failsAttempt, fixOrFail, type Standing } from './standing.ts'

/** Null when tester and supervisor approve, or when neither is asked. */
export const review = (standing: Standing): Proposal | null => test(standing) ?? verify(standing)

/** What tester and supervisor are asked about. */
const reviewed = (standing: Standing) => {
  const { task, attempt, tree, since, workspace } = standing
  return {
    workspace,
    task: task.id,
    attempt: attempt.n,
    turn: task.index + attempt.n,
    tree,
    base: since,
    judges: changeOf(standing),
  }
}

function test(standing: Standing): Proposal | null {
  const { state, task, ids } = standing
  if (!judges(state)) return null
  const answer = ask(state, { id: ids.test, purpose: 'test', ...reviewed(standing) })
  if (answer.status !== 'done') return unanswered(answer, failsAttempt(standing))
  const caught = recordAny(caughtEditing(state, answer.outcome.edited, 'tester', task.id, answer.outcome.id))
  if (caught) return caught
  const failure = testFailure(answer.outcome.result)
  return failure && fixOrFail(standing, failure, null)
}

/** A tester's "passed" counts only when it ran tests and none of them failed. */
function testFailure({ status, total, failed, failures, summary }: TesterResult): Failure | null {
  const red = status !== 'passed' || failures.length > 0 || (failed ?? 0) > 0
  if (!red && total !== 0) return null
  return {
    kind: 'test',
    error: null,
    summary: red
      ? `the tester reports ${status === 'blocked' ? 'it is blocked' : 'failures'}: ${summary}`
      : 'the tester ran no test',
    detail: [
      summary,
      ...failures.map(({ name, file, error }) => `- ${name}${file ? ` (${file})` : ''}: ${error}`),
    ].join('\n'),
    fingerprint: `test:${failures
      .map(({ name }) => name)
      .toSorted()
      .join(',')}`,
  }
}

function verify(standing: Standing): Proposal | null {
  const { state, task, attempt, ids } = standing
  if (!judges(state)) return null
  if (attempt.verdict) return weigh(standing)
  const answer = ask(state, { id: ids.verify, purpose: 'verify-task', ...reviewed(standing) })
  if (answer.status !== 'done') return unanswered(answer, failsAttempt(standing))
  return record(...caughtEditing(state, answer.outcome.edited, 'supervisor', task.id, answer.outcome.id), {
    type: 'verdict.given',
    subject: { kind: 'task', task: task.id, attempt: attempt.n, round: attempt.round },
    verdict: judge(answer.outcome.result, state.config.thresholds),
  })
}

function weigh(standing: Standing): Proposal | null {
  const {
    task,
    attempt: { verdict },
  } = standing
  if (!verdict || verdict.approved) return null
  const { score, level, summary, feedback, issues } = verdict
  if (level === 'abort') {
    return conclude({
      status: 'failed',
      reason: `the supervisor aborted at ${task.id}: ${issues.length} issues (score ${score})`,
    })
  }
  return fail(standing, {
    kind: 'verdict',
    error: null,
    summary: `the supervisor rejected it (score ${score}, ${level}): ${summary || feedback}`,
    detail: remarksOf(`Score ${score} of 100 (${level}).`, verdict),
    fingerprint: null,
  })
}
