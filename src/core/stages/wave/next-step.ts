/** Carries out what a closed wave decided: a checkpoint, another approach, a rollback, or a person. */
import type { Landing, NextStep, Trouble } from '../../../model/convergence.ts'
import type { Fact } from '../../../model/event.ts'
import type { RunState } from '../../../model/state.ts'
import { rollbackId, stepId, waveOwner } from '../../../model/work-id.ts'
import { resumeAfter } from '../../../model/resume-hint.ts'
import { environment, conclude, pause, record, type Facts, type Proposal } from '../../proposal.ts'
import { orPause, perform } from '../../step.ts'
import { taskOf } from '../../tasks/task-graph.ts'

export function carryOut(state: RunState, next: NextStep): Proposal {
  switch (next.do) {
    case 'checkpoint':
      return checkpoint(state, next)
    case 'recover':
      return recover(state, next)
    case 'roll-back':
      return rollBack(state, next)
    case 'escalate':
      return escalate(state, next)
  }
}

/** A permanent stall fails the run. When results come and go, a person must decide what is wanted. */
function escalate(state: RunState, { from, evidence }: Extract<NextStep, { do: 'escalate' }>): Proposal {
  const detail = `${from} after ${recoveries(state, from)}: ${evidence}`
  if (from === 'STALLED') return conclude({ status: 'failed', reason: detail })
  return pause({ kind: 'health', detail, ...resumeAfter('Change the plan or the limits') })
}

function recoveries({ convergence }: RunState, from: Trouble): string {
  const n = convergence.recoveries[from] ?? 0
  return n === 1 ? '1 recovery' : `${n} recoveries`
}

function checkpoint(state: RunState, { passing }: Extract<NextStep, { do: 'checkpoint' }>): Proposal {
  const {
    wave,
    landings,
    convergence: { kept },
  } = state
  const id = stepId(waveOwner(wave), 'checkpoint')
  const commit = landings.at(-1)?.commit ?? state.base.commit
  const name = `C${kept + 1}`
  // Agents can read refs, so held-out checks are not named in them.
  const hidden = new Set(state.config.checks.flatMap((check) => (check.hidden ? [check.name] : [])))
  const shown = passing.filter((what) => !hidden.has(what))
  const step = orPause(perform(state, { kind: 'checkpoint', id, name, commit, passing: shown }))
  if (step.status === 'not-yet') return step.proposal
  const { ref } = step.outcome
  return record({
    type: 'checkpoint.made',
    checkpoint: { id: name, commit, wave, landings: landings.length, passing, ref },
  })
}

/**
 * Tries another approach, with another agent if there is one. For flip-flopping work, a person is asked what is wanted.
 */
function recover(state: RunState, { from, evidence, tasks }: Extract<NextStep, { do: 'recover' }>): Proposal {
  const open = tasks.filter((id) => ['todo', 'failed'].includes(taskOf(state, id).status))
  return record(...(from === 'FLIP-FLOPPING' ? inquiry(state, open, evidence) : []), {
    type: 'recovery.begun',
    from,
    n: (state.convergence.recoveries[from] ?? 0) + 1,
    evidence,
    tasks: open,
  })
}

/** Asks once per occurrence. */
function inquiry({ questions, wave }: RunState, tasks: readonly string[], evidence: string): Fact[] {
  const origin = `${waveOwner(wave)}/flip-flopping`
  if (tasks.length === 0 || questions.some((question) => question.origin === origin)) return []
  const text = `The work alternates between two states: ${evidence}. What is wanted of ${tasks.join(', ')}?`
  return [
    {
      type: 'question.asked',
      question: { id: `Q${questions.length + 1}`, text, options: [], default: null, blocks: [...tasks], origin },
    },
  ]
}

function rollBack(state: RunState, next: Extract<NextStep, { do: 'roll-back' }>): Proposal {
  const { landings, wave } = state
  const from = landings.at(-1)?.commit ?? state.base.commit
  // The target is part of the id, so that a rollback to another commit is separate work.
  const id = rollbackId(wave, state.antiPatterns.length + 1, next.to)
  const step = orPause(perform(state, { kind: 'rollback', id, from, to: next.to }))
  if (step.status === 'not-yet') return step.proposal
  const { status, kept } = step.outcome
  if (status === 'moved') return pause(environment({ message: 'the run branch was moved by another process' }))
  return record(...rolledBack(state, next, { from, kept }))
}

/** The consequences of a rollback: the tasks that it undoes, and the anti-pattern to record. */
export function rolledBack(
  state: RunState,
  next: Extract<NextStep, { do: 'roll-back' }>,
  { from, kept }: { from: string; kept: string | null },
): Facts {
  const { landings, tasks, convergence } = state
  const left = next.to === state.base.commit ? 0 : landings.findIndex(({ commit }) => commit === next.to) + 1
  const lost = landings.slice(left)
  const undone = [...new Set(lost.filter(({ revert }) => !revert).map(({ task }) => task))].filter(
    (id) => tasks[id]?.status === 'done',
  )
  // The rollback also removes other landings. The anti-pattern names only the tasks that caused it, when these are
  // known.
  const about =
    next.tasks.length > 0 ? next.tasks : undone.length > 0 ? undone : [...new Set(lost.map(({ task }) => task))]
  const trouble = next.why === 'culprit' ? 'REGRESSING' : next.why === 'person' ? null : next.why
  const back: Fact = {
    type: 'rolled.back',
    from,
    to: next.to,
    checkpoint: next.checkpoint,
    why: next.why,
    tasks: undone,
    landings: left,
    kept,
    antiPattern: {
      id: `A${state.antiPatterns.length + 1}`,
      title: `${about.join(', ')} as it was tried`,
      evidence: next.evidence,
      tried: about.map((id) => `${id}: ${tasks[id]?.summary || tasks[id]?.title || ''}`).join('\n'),
      why: reasons[next.why],
      tasks: about,
      files: filesOf(lost.filter(({ task }) => about.includes(task))),
    },
  }
  if (!trouble) return [back]
  return [
    ...(trouble === 'FLIP-FLOPPING' ? inquiry(state, about, next.evidence) : []),
    back,
    {
      type: 'recovery.begun',
      from: trouble,
      n: (convergence.recoveries[trouble] ?? 0) + 1,
      evidence: next.evidence,
      tasks: next.why === 'culprit' ? next.tasks : about,
    },
  ]
}

const mostFiles = 50

const filesOf = (landings: readonly Landing[]): string[] =>
  [...new Set(landings.flatMap(({ files = {} }) => Object.keys(files)))].slice(0, mostFiles)

const reasons: Record<Extract<NextStep, { do: 'roll-back' }>['why'], string> = {
  REGRESSING: 'what had passed no longer did, two waves running',
  'FLIP-FLOPPING': 'the same things were done and undone again',
  culprit: 'it broke what had passed, and could not be taken back alone',
  person: 'a person rolled it back',
}
