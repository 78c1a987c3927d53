/** Whether a pipeline stage ends after this pass: a judge or a command decides, never the agent that did the work. */
import { stepId } from '../../../model/work-id.ts'
import { ask } from '../../questions/answers.ts'
import { record } from '../../proposal.ts'
import { done, notYet, orPause, perform, type Step } from '../../step.ts'
import { unanswered } from '../../questions/unanswered.ts'
import { checkWorkspace } from '../../tasks/workspace-needs.ts'
import { failedPass, mainOnly, type Pass } from './pass-standing.ts'

export function judgePass(standing: Pass): Step<{ stop: boolean }> {
  const {
    state,
    loop,
    stage: { completion, minIterations },
    id,
    tree,
  } = standing
  if (loop.iterations + 1 < minIterations) return done({ stop: false })
  if (completion.kind === 'judge') {
    const answer = ask(state, {
      id: stepId(id, 'judge'),
      purpose: 'judge',
      ...mainOnly,
      turn: loop.iterations + 1,
      pass: loop.iterations + 1,
      tree,
      base: tree === null ? null : state.base.commit,
    })
    if (answer.status !== 'done')
      return notYet(
        unanswered(answer, ({ kind, message }) => record(failedPass(standing, `the judge: ${kind}: ${message}`))),
      )
    const { stop, confidence } = answer.outcome.result
    return done({ stop: stop && confidence >= completion.confidence })
  }
  if (completion.kind !== 'until') return done({ stop: false })
  const target = checkWorkspace(state, 'main', standing.base)
  const run = { shell: completion.command }
  const tried = orPause(
    perform(state, {
      kind: 'check',
      id: stepId(id, 'until'),
      task: null,
      name: 'until',
      run,
      timeoutMs: untilMs,
      ...target,
      // In a verification workspace, the commit has the tree.
      tree: target.commit === undefined ? tree : null,
    }),
  )
  return tried.status === 'not-yet' ? tried : done({ stop: tried.outcome.exitCode === 0 })
}

const untilMs = 15 * 60_000
