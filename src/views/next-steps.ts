/** What a person can do now, by where the run stands. */
import type { RunState } from '../model/state.ts'
import { openQuestions, shownStatus, type Liveness } from './progress.ts'

export interface Step {
  command: string
  what: string
}

/** What to say first, and the steps that it does not name already. */
export function advice(state: RunState, liveness: Liveness): { hint: string | null; steps: Step[] } {
  const hint = hintOf(state)
  const others = nextSteps(state, liveness).filter(({ command }) => hint === null || !hint.includes(command))
  return { hint, steps: hint !== null && state.pause?.kind === 'health' ? [doctor(state), ...others] : others }
}

const doctor = ({ run }: RunState): Step => ({ command: `looper doctor ${run}`, what: 'tells why' })

function hintOf(state: RunState): string | null {
  if (state.status !== 'paused' || state.pause === null || state.discardedAt !== null) return null
  const answered = answeredText(state)
  if (answered !== null) return `${answered}: looper resume ${state.run} goes on`
  // Open questions are steps of their own.
  if (state.pause.hint === '' || state.pause.kind === 'question') return null
  return state.pause.hint.replace(/\blooper resume\b/, `looper resume ${state.run}`)
}

/** A run that rests does not notice that it was answered; null while it still waits. */
export function answeredText(state: RunState): string | null {
  if (state.status !== 'paused' || state.pause?.kind !== 'question' || openQuestions(state).length > 0) return null
  const answered = state.questions.filter(({ by }) => by === 'person')
  return answered.length === 1 ? `${answered[0]?.id} is answered` : 'all questions are answered'
}

export function nextSteps(state: RunState, liveness: Liveness): Step[] {
  const { run } = state
  // Without what had landed there is nothing to go on with, or to look at.
  if (state.discardedAt !== null) return [{ command: `looper report ${run}`, what: 'tells what was done' }]
  const questions = openQuestions(state).map(({ id }) => ({ command: `looper answer ${id} "…"`, what: 'answers the question' }))
  switch (shownStatus(state, liveness)) {
    case 'new':
    case 'running':
      return [
        ...questions,
        { command: `looper attach ${run}`, what: 'shows it; Ctrl-C there leaves it running' },
        { command: `looper stop ${run}`, what: 'stops it; nothing is lost' },
      ]
    case 'crashed':
      return [{ command: `looper resume ${run}`, what: 'goes on from the journal' }]
    case 'paused':
      return [
        ...questions,
        { command: `looper resume ${run}`, what: 'goes on' },
        ...(hasChanges(state) ? [{ command: `looper diff ${run}`, what: 'shows what is there so far' }] : []),
      ]
    case 'failed':
      return [
        { command: `looper report ${run}`, what: 'tells what failed and why' },
        { command: `looper resume ${run}`, what: state.counts.failed > 0 ? 'tries the failed tasks again' : 'tries it again' },
        ...handover(state),
      ]
    case 'aborted':
      return [{ command: `looper report ${run}`, what: 'tells what was done' }, ...handover(state)]
    case 'completed':
      return [{ command: `looper report ${run}`, what: 'shows the evidence' }, ...handover(state)]
  }
}

/** Where nothing was done there is nothing to look at or to take. In place, what failed lies there all the same. */
const hasChanges = ({ config, tasks, order, loop }: RunState): boolean => order.some((id) => tasks[id]?.commit != null)
  || (loop === null ? config.workspace.mode === 'in-place' && order.length > 0 : loop.landed > 0)

function handover(state: RunState): Step[] {
  if (!hasChanges(state)) return []
  const { run, config } = state
  const diff = { command: `looper diff ${run}`, what: 'shows the changes' }
  if (config.workspace.mode === 'in-place') return [diff]
  if (state.applied !== null) return [diff, { command: `looper discard ${run}`, what: 'removes its branch; what you took over stays' }]
  return [
    diff,
    { command: `looper apply ${run}`, what: 'brings them into your branch' },
    { command: `looper discard ${run}`, what: 'throws them away' },
  ]
}
