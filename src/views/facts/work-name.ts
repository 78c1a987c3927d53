/** Names work by its id alone: its owner and its activity. */
import type { RunState } from '../../model/state.ts'
import { attemptIn, ownerOf, passIn, readWorkId, waveIn } from '../../model/work-id.ts'
import { plain } from '../text/plain-text.ts'
import { facts } from './progress.ts'

const stepWords: Readonly<Record<string, string>> = {
  prepare: 'setting up',
  implement: 'building',
  iterate: 'working',
  fix: 'fixing',
  inspect: 'inspecting changes',
  check: 'checking',
  trial: 'checking',
  move: 'moving to the merged tree',
  outside: 'inspecting',
  proof: 'trying the new tests',
  reverse: 'trying the old tests',
  test: 'testing',
  verify: 'verifying',
  merge: 'merging',
  land: 'landing',
  split: 'splitting',
  review: 'reviewing',
  judge: 'judging',
  checkpoint: 'keeping a checkpoint',
  rollback: 'rolling back',
  revert: 'reverting a change',
  bootstrap: 'writing it',
  repair: 'repairing it',
  finish: 'finishing',
}

/** "T001 was stopped while building", "the check of the base was stopped" */
export function stoppedText(id: string, state: RunState): string {
  const { owner, steps } = readWorkId(id)
  const step = steps.flatMap(({ name }) => stepWords[name] ?? [])[0]
  const attempt = attemptIn(id)
  const who = attempt === null ? (stageWords[owner] ?? ownerName(owner)) : attemptName(owner, attempt, state)
  return `${who} was stopped${step === undefined ? '' : ` while ${step}`}`
}

/** Stages in a sentence. */
const stageWords: Readonly<Record<string, string>> = {
  plan: 'planning',
  baseline: 'the check of the base',
  gate: 'the gate',
  backlog: 'the work on the backlog',
  look: 'reading the backlog',
  report: 'the report',
}

/** "T001 · building", "T001 attempt 2 · checking", "gate · verifying" */
export function workName(id: string, state: RunState): string {
  const { owner, steps } = readWorkId(id)
  const step = steps.flatMap(({ name }) => stepWords[name] ?? [])[0]
  const attempt = attemptIn(id)
  return facts(attempt === null ? ownerName(owner) : attemptName(owner, attempt, state), step)
}

const ownerName = (owner: string): string => plain(wordsOf(owner), 40)

function wordsOf(owner: string): string {
  const [wave, pass] = [waveIn(owner), passIn(owner)]
  if (wave !== null) return `wave ${wave}`
  return pass === null ? owner : `iteration ${pass.pass}${pass.nth === 1 ? '' : `.${pass.nth}`}`
}

/** Adds the attempt number in a race. */
export const attemptName = (task: string, attempt: number, { tasks }: RunState): string =>
  tasks[task]?.racers?.length ? `${plain(task, 40)} attempt ${attempt}` : plain(task, 40)

/** The work belongs to an attempt that ended: another attempt has won, or the task is done. */
export function isOver(id: string, { tasks }: RunState): boolean {
  const [task, n] = [tasks[ownerOf(id)], attemptIn(id)]
  return n !== null && task !== undefined && ![task.attempt, ...(task.racers ?? [])].some((attempt) => attempt?.n === n)
}
