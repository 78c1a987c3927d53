/** What a person can do now, by where the run stands. */
import type { RunState } from '../model/state.ts'
import { openQuestions, shownStatus, type Liveness } from './progress.ts'

export interface Step {
  command: string
  what: string
}

export function nextSteps(state: RunState, liveness: Liveness): Step[] {
  const { run } = state
  const questions = openQuestions(state).map(({ id }) => ({ command: `looper answer ${id} "…"`, what: 'answers the question' }))
  switch (shownStatus(state, liveness)) {
    case 'new':
    case 'running':
      return [
        ...questions,
        { command: `looper tail -f ${run}`, what: 'follows it' },
        { command: `looper stop ${run}`, what: 'stops it; nothing is lost' },
      ]
    case 'crashed':
      return [{ command: `looper resume ${run}`, what: 'goes on from the journal' }]
    case 'paused':
      return [
        ...questions,
        { command: `looper resume ${run}`, what: 'goes on' },
        { command: `looper diff ${run}`, what: 'shows what is there so far' },
      ]
    case 'failed':
      return [
        { command: `looper report ${run}`, what: 'tells what failed and why' },
        { command: `looper resume ${run}`, what: 'tries the failed tasks again' },
        ...handover(state),
      ]
    case 'aborted':
      return [{ command: `looper report ${run}`, what: 'tells what was done' }, ...handover(state)]
    case 'completed':
      return [{ command: `looper report ${run}`, what: 'shows the evidence' }, ...handover(state)]
  }
}

function handover({ run, config }: RunState): Step[] {
  const diff = { command: `looper diff ${run}`, what: 'shows the changes' }
  if (config.workspace.mode === 'in-place') return [diff]
  return [
    diff,
    { command: `looper apply ${run}`, what: 'brings them into your branch' },
    { command: `looper discard ${run}`, what: 'throws them away' },
  ]
}
