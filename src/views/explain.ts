/** `looper doctor <run>`: why a run is where it is, what it waits for, and what it would do next, in words. */
import type { Fact } from '../model/event.ts'
import type { RunState, TaskState } from '../model/state.ts'
import type { Work } from '../model/work.ts'
import { activities, activity } from './activity.ts'
import { clock, duration, plural } from './format.ts'
import { nextSteps } from './next-steps.ts'
import { noPaint, type Paint } from './paint.ts'
import { plain } from './plain-text.ts'
import { elapsedMs, facts, openQuestions, reasonOf, shownStatus, tally, type Liveness } from './progress.ts'

export interface Explanation {
  why: string[]
  waits: string[]
  next: string[]
}

/** What the core would have done now, were somebody running the run. */
export interface Intent {
  facts: readonly Fact[]
  work: readonly Work[]
}

export function explain(state: RunState, liveness: Liveness, intent: Intent): Explanation {
  return { why: why(state, liveness), waits: waits(state, liveness), next: next(state, liveness, intent) }
}

function why(state: RunState, liveness: Liveness): string[] {
  const status = shownStatus(state, liveness)
  const { done, total } = tally(state)
  const reason = reasonOf(state)
  return [
    `${plain(state.run)} is ${status}${reason === null ? '' : `: ${plain(reason, 400)}`}.`,
    `${done} of ${plural(total, 'task')} done in ${plural(state.wave, 'wave')}, ${plural(state.turns, 'turn')} and ${duration(elapsedMs(state))}.`,
    ...health(state), ...checks(state),
    ...state.order.flatMap((id) => state.tasks[id] ?? []).filter(isTelling).slice(0, 20).map(taskText),
    ...state.antiPatterns.map(({ id, title, evidence }) => `Rolled back (${id}): ${plain(title, 120)}, because ${plain(evidence, 200)}.`),
  ]
}

function health({ convergence: { health: now, evidence, recoveries } }: RunState): string[] {
  const tried = Object.entries(recoveries).map(([from, n]) => `${plural(n, 'recovery', 'recoveries')} from ${from}`)
  return [
    now === 'PROGRESSING' ? 'The work converges, as far as the monitor can tell.' : `The monitor says ${now}${evidence === null ? '' : `: ${plain(evidence, 300)}`}.`,
    ...(tried.length > 0 ? [`Tried so far: ${tried.join(', ')}.`] : []),
  ]
}

function checks({ baseline, flaky, config }: RunState): string[] {
  if (config.checks.length === 0) return ['No checks are configured: nothing is verified.']
  const red = (baseline?.checks ?? []).filter(({ passed }) => !passed).map(({ check }) => plain(check, 60))
  return [
    ...(red.length > 0 ? [`Red before the first task, and blamed on nobody: ${red.join(', ')}.`] : []),
    ...Object.values(flaky).map(({ check, runs, passed }) => `${plain(check, 60)} is flaky: it passed in ${passed} of ${runs} runs on the same tree.`),
  ]
}

const isTelling = ({ status, failures, falls = 0 }: TaskState): boolean =>
  status === 'failed' || status === 'blocked' || falls > 0 || (status !== 'done' && failures.length > 0)

function taskText(task: TaskState): string {
  const last = task.failures.at(-1)
  return facts(
    `${task.id} ${plain(task.title, 80)}: ${task.status} after ${plural(task.attempts, 'attempt')}`,
    (task.falls ?? 0) > 0 && `done and undone ${plural(task.falls ?? 0, 'time')}`,
    plain(task.reason ?? (last ? `last failure: ${last.summary}` : ''), 240),
  )
}

function waits(state: RunState, liveness: Liveness): string[] {
  const { live } = liveness
  const waiting = state.order.flatMap((id) => state.tasks[id] ?? []).filter(({ status, waitingOn }) => status === 'todo' && waitingOn > 0)
  return [
    ...openQuestions(state).map(({ id, text, blocks }) => `An answer to ${id}${blocks.length > 0 ? ` (${blocks.join(', ')})` : ''}: ${plain(text, 300)}`),
    ...(live ? activities(state, null).map((what) => `${what}.`) : []),
    ...Object.entries(state.quotas).filter(([, until]) => until > state.lastAt).map(([who, until]) => `${plain(who.replace(/\/$/, ''), 60)} is out of quota until ${clock(until)}.`),
    ...waiting.slice(0, 10).map(({ id, dependsOn }) => `${id} waits for ${dependsOn.filter((each) => state.tasks[each]?.status !== 'done').join(', ')}.`),
    ...(state.pause?.hint && state.status === 'paused' ? [`A person: ${plain(state.pause.hint, 300)}`] : []),
  ]
}

function next(state: RunState, liveness: Liveness, { facts: conclusions, work }: Intent): string[] {
  const would = [...conclusions.map(conclusionText).filter((text) => text !== null), ...work.map(workText)]
  const resting = state.status !== 'running' || !liveness.live
  const lead = resting ? 'After `looper resume` it would' : 'It will'
  return [
    ...[...new Set(would)].slice(0, 12).map((what) => `${lead} ${what}.`),
    ...nextSteps(state, liveness).map(({ command, what }) => `${command}: ${what}`),
  ]
}

function conclusionText(fact: Fact): string | null {
  switch (fact.type) {
    case 'stage.entered': return `go on to ${fact.stage}${fact.conclusion ? ` and end ${fact.conclusion.status}` : ''}`
    case 'task.started': return `begin attempt ${fact.attempt} at ${fact.task} with ${plain(fact.agent, 40)}`
    case 'task.reopened': return fact.tasks.length === 0 ? null : `open ${fact.tasks.slice(0, 5).join(', ')} again`
    case 'wave.closed': return `close wave ${fact.wave}`
    case 'run.paused': return `pause: ${plain(fact.reason.detail, 160)}`
    default: return null
  }
}

function workText(work: Work): string {
  const who = 'task' in work && work.task !== null ? ` for ${work.task}` : ''
  return work.kind === 'turn' ? `have ${plain(work.agent, 40)} at it${who}: ${activity(work)}` : `be at this${who}: ${activity(work)}`
}

export function explanationText({ why: because, waits: waiting, next: then }: Explanation, paint: Paint = noPaint): string {
  const block = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [paint.strong(title), ...lines.map((line) => `  ${line}`), ''])
  return `${[...block('Why it is where it is', because), ...block('What it waits for', waiting), ...block('What comes next', then)].join('\n').trimEnd()}\n`
}
