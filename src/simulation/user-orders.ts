/** Turns the user's wishes into commands, with the ids that the run has by then. */
import type { Command } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Work } from '../model/work.ts'
import { hasStep, ownerOf, waveIn } from '../model/work-id.ts'
import type { Moment, UserCommand } from './scenario.ts'

type Rollback = Extract<UserCommand, { do: 'rollback' }>

/** Null when the command has no target. */
export function commandOf(id: string, wanted: UserCommand, state: RunState): Command | null {
  switch (wanted.do) {
    case 'skip':
      return { id, do: 'skip', task: state.order[wanted.nth] ?? '', reason: `skipped by order ${id}` }
    case 'retry':
      return { id, do: 'retry', task: state.order[wanted.nth] ?? '' }
    case 'add':
      return {
        id,
        do: 'add',
        task: { title: 'one more', description: '', dependsOn: state.order.slice(0, 1), criteria: [], priority: null },
      }
    case 'limit':
      return { id, do: 'limit', limits: { turns: wanted.turns } }
    case 'answer': {
      const question = state.questions.find(({ answer }) => answer === null)
      return question ? { id, do: 'answer', question: question.id, answer: 'that' } : null
    }
    case 'rollback':
      return { id, do: 'rollback', to: targetOf(wanted, state) }
    default:
      return { id, do: wanted.do }
  }
}

function targetOf({ to, nth }: Rollback, { checkpoints, landings }: RunState): string | null {
  switch (to) {
    case 'last':
      return null
    case 'base':
      return 'base'
    case 'checkpoint':
      return checkpoints[nth % Math.max(1, checkpoints.length)]?.id ?? 'C1'
    case 'commit':
      return landings[nth % Math.max(1, landings.length)]?.commit.slice(0, 12) ?? 'c0ffee00'
    case 'nonsense':
      return ['C99', '../../HEAD', '', 'deadbeef', '--all'][nth] ?? ''
  }
}

/** Whether this work belongs to the moment. */
export function isPartOf(work: Work, moment: Moment): boolean {
  switch (moment) {
    case 'baseline':
      return ownerOf(work.id) === 'baseline'
    case 'proof':
      return work.kind === 'check' && hasStep(work.id, 'proof')
    case 'revert':
      return waveIn(work.id) !== null && (work.kind === 'integrate' || hasStep(work.id, 'revert'))
    case 'take-back':
      return waveIn(work.id) !== null && work.kind === 'integrate' && work.step.kind === 'land'
    case 'bisect':
      return hasStep(work.id, 'bisect')
    case 'review':
      return work.kind === 'turn' && work.purpose === 'review-wave'
    case 'resolve':
      return work.kind === 'turn' && work.purpose === 'resolve-conflict'
    default:
      return work.kind === moment
  }
}
