/** What a run would do next, in words. */
import type { Fact, StageName } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Work } from '../../model/work.ts'
import { activity } from '../live/activity.ts'
import { clock, type Zone } from '../text/format.ts'
import { plain } from '../text/plain-text.ts'
import type { Liveness } from './liveness.ts'
import { sentence } from '../text/sentence.ts'

/** What the core would do now if an engine were running the run. */
export interface Intent {
  facts: readonly Fact[]
  work: readonly Work[]
}

const mostNext = 12

export function explainNext(
  state: RunState,
  liveness: Liveness,
  { facts: conclusions, work }: Intent,
  zone: Zone,
): string[] {
  // Without the landed changes, the run cannot continue.
  if (state.discardedAt !== null) return []
  const resting = state.status !== 'running' || !liveness.live
  const wanted = work.filter(({ id }) => resting || state.works[id] === undefined)
  const would = [...conclusions.map(conclusionText), ...wanted.map((each) => workText(each, conclusions, zone))].filter(
    (text) => text !== null,
  )
  const pauses = conclusions.some(({ type }) => type === 'run.paused')
  const lead = resting ? `After \`looper resume\`${pauses ? ' alone' : ''} it would` : 'It will'
  return [...new Set(would)].slice(0, mostNext).map((what) => sentence(`${lead} ${what}`))
}

function conclusionText(fact: Fact): string | null {
  switch (fact.type) {
    case 'stage.entered':
      return fact.conclusion ? `end: ${fact.conclusion.status}` : stages[fact.stage]
    case 'task.started':
      return `begin attempt ${fact.attempt} at ${fact.task} with ${plain(fact.agent, 40)}`
    case 'task.reopened':
      return fact.tasks.length === 0 ? null : `open ${fact.tasks.slice(0, 5).join(', ')} again`
    case 'wave.closed':
      return `close wave ${fact.wave}`
    case 'recovery.begun':
      return fact.tasks.length === 0 ? null : `try another approach to ${fact.tasks.slice(0, 5).join(', ')}`
    case 'run.paused':
      return fact.reason.kind === 'question'
        ? 'pause again, because an answer is missing'
        : `pause again: ${plain(fact.reason.detail, 160)}`
    default:
      return null
  }
}

const stages: Record<StageName, string> = {
  plan: 'plan',
  scaffold: 'build the scaffold for all tasks',
  execute: 'continue the tasks',
  gate: 'check the whole result',
  backlog: 'continue the backlog',
  loop: 'continue its stages',
  report: 'write the report',
}

/** Null for the preparation of a workspace when other facts are listed. */
function workText(work: Work, recorded: readonly Fact[], zone: Zone): string | null {
  if (work.kind === 'prepare' && recorded.length > 0) return null
  const who = 'task' in work && work.task !== null ? ` for ${work.task}` : ''
  switch (work.kind) {
    case 'turn':
      return `run ${plain(work.agent, 40)}${who}: ${activity(work)}`
    case 'check':
      return `run the check ${plain(work.name, 40)}${who}`
    case 'prepare':
      return 'set up a workspace'
    case 'integrate':
      return work.step.kind === 'revert' ? `revert the change of ${work.task}` : `merge${who}`
    case 'rollback':
      return 'roll back'
    case 'checkpoint':
      return `keep the checkpoint ${work.name}`
    case 'wait':
      return `wait until ${clock(work.until, zone)}`
    case 'sync':
      return 'read the backlog'
    case 'inspect':
      return `inspect the changes${who}`
    case 'overlay':
      return `try the new tests without the change${who}`
    case 'finish':
      return 'finish'
  }
}
