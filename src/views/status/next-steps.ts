/** The commands that a person can run next, depending on the run's status. */
import type { RunState } from '../../model/state.ts'
import { agentTypeOf } from '../../model/agent-type.ts'
import { isAgentTrouble } from '../facts/error-words.ts'
import { withAmounts } from '../facts/raise-limit.ts'
import { openQuestions, shownStatus } from '../facts/progress.ts'
import { columns, pad } from '../text/columns.ts'
import { shortRuns } from '../text/name-run.ts'
import type { Paint } from '../text/paint.ts'
import { wrap, type Width } from '../text/rows.ts'
import type { Liveness } from './liveness.ts'

export interface Step {
  command: string
  what: string
}

/** The indentation of the rows, which the caller adds. */
const indent = 2

/**
 * Aligned after the runs are named by their numbers, because that makes commands shorter. What a command does continues
 * below itself.
 */
export function stepRows(steps: readonly Step[], paint: Paint, width: Width = null): string[] {
  const commands = steps.map(({ command }) => shortRuns(command))
  const start = Math.max(0, ...commands.map(columns)) + 2
  return steps.flatMap(({ what }, index) =>
    wrap(what, width, indent + start).map(
      (line, at) => pad(at === 0 ? (commands[index] ?? '') : '', start) + paint.faint(line),
    ),
  )
}

/** What to fix first, unless that is one of the steps, and the steps. */
export function advice(state: RunState, liveness: Liveness): { hint: string | null; steps: Step[] } {
  const steps = nextSteps(state, liveness)
  const fix = hintOf(state)
  const hint = steps.some(({ what }) => `${what}.` === fix) ? null : fix
  return { hint, steps: hint !== null && state.pause?.kind === 'health' ? [doctor(state), ...steps] : steps }
}

const doctor = ({ run }: RunState): Step => ({ command: `looper doctor ${run}`, what: 'explains why' })

function hintOf(state: RunState): string | null {
  if (state.status === 'failed' && isAgentTrouble(state.reason ?? '') && isOwnProgram(state))
    return 'What an agent must answer is in docs/guides/command-agents.md of Looper.'
  if (state.status !== 'paused' || state.discardedAt !== null) return null
  // Open questions are steps of their own.
  if (state.pause.hint === '' || state.pause.kind === 'question') return null
  const { resume: resuming } = state.pause
  if (resuming === undefined) return withAmounts(state.pause.hint, state)
  return resuming.fix === null ? null : `${resuming.fix}.`
}

/** The agent is a program of the user, which may not speak the protocol yet. */
const isOwnProgram = ({ config: { agent, agents } }: RunState): boolean =>
  agentTypeOf(agent, agents[agent] ?? {}) === 'command'

/** The step that resumes the run, with the options it needs. */
function resume(state: RunState): Step {
  const { run, pause } = state
  if (pause?.kind !== 'question') {
    const { options = '', isLater = false } = pause?.resume ?? {}
    if (options !== '')
      return { command: `looper resume ${run} ${withAmounts(options, state)}`, what: whatWith(options) }
    return { command: `looper resume ${run}`, what: isLater ? 'continues it later' : 'continues it' }
  }
  const open = openQuestions(state).length
  const when = open === 1 ? ', once it is answered' : ', once they are answered'
  return { command: `looper resume ${run}`, what: `continues it${open === 0 ? `: ${answeredText(state)}` : when}` }
}

const whatWith = (flags: string): string =>
  flags.includes('--settings') ? 'continues it with the new settings' : 'raises it and continues'

/** A resting run does not notice an answer, so a person must resume it; null while a question is still open. */
export function answeredText(state: RunState): string | null {
  if (state.status !== 'paused' || state.pause.kind !== 'question' || openQuestions(state).length > 0) return null
  const answered = state.questions.filter(({ by }) => by === 'person')
  return answered.length === 1 ? `${answered[0]?.id} is answered` : 'all questions are answered'
}

/** The ways out that are commands; what must be done outside Looper is the hint. */
const remedies = ({ pause }: RunState): Step[] =>
  (pause?.remedies ?? []).flatMap(({ command, text }) => (command === null ? [] : [{ command, what: text }]))

export function nextSteps(state: RunState, liveness: Liveness): Step[] {
  const { run } = state
  // Without the landed changes, there is nothing to resume or review.
  if (state.discardedAt !== null) return [{ command: `looper report ${run}`, what: 'shows what was done' }]
  const questions = openQuestions(state).map(({ id }) => ({
    command: `looper answer ${id} "…" --run ${run}`,
    what: 'answers the question',
  }))
  switch (shownStatus(state, liveness)) {
    case 'new':
    case 'running':
      return [
        ...questions,
        { command: `looper attach ${run}`, what: 'shows it; Ctrl-C there leaves it running' },
        { command: `looper stop ${run}`, what: 'stops it; nothing is lost' },
      ]
    case 'crashed':
      return [
        { command: `looper resume ${run}`, what: 'continues it from the journal' },
        ...((liveness.left?.agents.length ?? 0) > 0
          ? [{ command: `looper stop ${run}`, what: 'ends the agents that still run' }]
          : []),
      ]
    case 'paused':
      return [
        ...questions,
        ...remedies(state),
        resume(state),
        ...(hasChanges(state) ? [{ command: `looper diff ${run}`, what: 'shows the changes so far' }] : []),
      ]
    case 'failed':
      return [
        ...questions,
        { command: `looper report ${run}`, what: 'shows what failed and why' },
        ...(isAgentTrouble(state.reason ?? '')
          ? [{ command: `looper logs ${run}`, what: 'shows what the agent printed' }]
          : []),
        { command: `looper resume ${run}`, what: state.counts.failed > 0 ? 'retries the failed tasks' : 'retries it' },
        ...otherChecks(state),
        ...handover(state),
      ]
    case 'aborted':
      return [{ command: `looper report ${run}`, what: 'shows what was done' }, ...handover(state)]
    case 'completed':
      return [{ command: `looper report ${run}`, what: 'shows the evidence' }, ...handover(state)]
  }
}

/** A run that has begun keeps its checks. Only a fork goes on with others. */
function otherChecks({ run, order, tasks }: RunState): Step[] {
  const isRed = order.some((id) => tasks[id]?.status === 'failed' && tasks[id].failures.at(-1)?.cause !== undefined)
  return isRed
    ? [{ command: `looper fork ${run} --at last --check "<command>"`, what: 'goes on in a new run with another check' }]
    : []
}

/** Without a done task there is nothing to review or apply. In place, failed changes are there anyway. */
const hasChanges = ({ config, tasks, order, loop }: RunState): boolean =>
  order.some((id) => tasks[id]?.commit != null)
  || (loop === null ? config.workspace.mode === 'in-place' && order.length > 0 : loop.landed > 0)

function handover(state: RunState): Step[] {
  if (!hasChanges(state)) return []
  const { run, config } = state
  const diff = { command: `looper diff ${run}`, what: 'shows the changes' }
  if (config.workspace.mode === 'in-place') return [diff]
  if (state.applied !== null)
    return [diff, { command: `looper discard ${run}`, what: 'removes its branch; the applied changes stay' }]
  return [
    diff,
    { command: `looper apply ${run}`, what: 'merges them into your branch' },
    { command: `looper discard ${run}`, what: 'discards them' },
  ]
}

/** Steps that show more about a failure, skip the failed task, or fork the run at its last checkpoint. */
export function unsticking(state: RunState): Step[] {
  const { run, order, tasks, checkpoints, discardedAt, pause } = state
  const isStuck =
    state.status === 'failed' || (state.status === 'paused' && (pause?.kind === 'health' || pause?.kind === 'blocked'))
  const task = order
    .flatMap((id) => tasks[id] ?? [])
    .find(
      ({ status, failures }) =>
        status === 'failed' || status === 'blocked' || (status === 'todo' && failures.length > 0),
    )
  if (!isStuck || discardedAt !== null || task === undefined) return []
  const checkpoint = checkpoints.at(-1)
  return [
    { command: `looper logs ${run} --task ${task.id}`, what: 'shows the output of its agents' },
    { command: `looper task skip ${task.id} --run ${run}`, what: 'skips it' },
    ...(checkpoint
      ? [
          {
            command: `looper fork ${run} --at ${checkpoint.id} --agent <name>`,
            what: 'continues from there with another agent',
          },
        ]
      : []),
  ]
}
