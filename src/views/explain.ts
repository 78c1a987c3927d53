/** `looper doctor <run>`: explains the status of a run, what it waits for, and what it would do next. */
import type { AntiPattern } from '../model/convergence.ts'
import type { Fact, StageName } from '../model/event.ts'
import type { RunState, TaskState } from '../model/state.ts'
import type { Work } from '../model/work.ts'
import { activities, activity } from './activity.ts'
import { attentionText } from './attention.ts'
import { align } from './columns.ts'
import { failingText } from './failing-tests.ts'
import { clock, duration, plural, times } from './format.ts'
import { advice, nextSteps, unsticking, type Step } from './next-steps.ts'
import { noPaint, type Paint } from './paint.ts'
import { plain } from './plain-text.ts'
import {
  elapsedMs,
  facts,
  openQuestions,
  optionsText,
  passesText,
  reasonOf,
  redOnBase,
  rolledBackFor,
  shownStatus,
  tally,
  type ShownStatus,
} from './progress.ts'
import type { Liveness } from './liveness.ts'
import { wrap, type Width } from './rows.ts'

export interface Explanation {
  why: string[]
  waits: string[]
  next: string[]
  /** Commands that a person can run now. */
  commands: Step[]
}

/** What the core would do now if an engine were running the run. */
export interface Intent {
  facts: readonly Fact[]
  work: readonly Work[]
}

export const explain = (state: RunState, liveness: Liveness, intent: Intent): Explanation => ({
  why: why(state, liveness),
  waits: waits(state, liveness),
  next: next(state, liveness, intent),
  commands: [...nextSteps(state, liveness), ...unsticking(state)],
})

const are: Record<ShownStatus, string> = {
  new: 'has not begun',
  running: 'is running',
  paused: 'is paused',
  completed: 'is completed',
  failed: 'has failed',
  aborted: 'was aborted',
  crashed: 'has crashed: its status is running, but no process runs it',
}

/** Ends a text with punctuation, even one that was cut. */
const sentence = (text: string): string => (/[.?!…:]$/.test(text) ? text : `${text}.`)

const mostTasks = 20

function why(state: RunState, liveness: Liveness): string[] {
  const reason = reasonOf(state)
  const telling = state.order.flatMap((id) => state.tasks[id] ?? []).filter(isTelling)
  const left = telling.length - mostTasks
  return [
    sentence(
      `${plain(state.run)} ${are[shownStatus(state, liveness)]}${reason === null ? '' : `: ${plain(reason, 400)}`}`,
    ),
    sentence(progress(state)),
    ...health(state, reason ?? ''),
    ...recovered(state),
    ...checks(state),
    ...attention(state),
    ...telling.slice(0, mostTasks).map((task) => taskText(task, state)),
    ...(left > 0 ? [`And ${plural(left, 'more task')} like these: looper ls ${plain(state.run)}`] : []),
    ...printed(state, telling),
    ...state.antiPatterns.flatMap(rollbackLines),
  ]
}

function rollbackLines({ tasks, evidence, why, kept }: AntiPattern): string[] {
  const because = evidence === '' ? `; ${plain(why, 200)}` : `: ${plain(evidence, 200)}`
  const left = kept === undefined ? [] : [sentence(`The old branch is kept as ${plain(kept, 160)}`)]
  return [sentence(`${rolledBackFor(tasks, evidence)}${because}`), ...left]
}

const printed = ({ run }: RunState, tasks: readonly TaskState[]): string[] =>
  tasks.some(({ failures }) => failures.at(-1)?.kind === 'check')
    ? [`What checks printed is in .looper/runs/${plain(run)}/checks/.`]
    : []

function progress(state: RunState): string {
  const { done, total } = tally(state)
  const effort = `${plural(state.turns, 'turn')} and ${duration(elapsedMs(state))}`
  if (total === 0) return `${passesText(state) || 'It has no tasks yet'}, after ${effort}`
  return `${done} of ${plural(total, 'task')} done in ${plural(state.wave, 'wave')}, ${effort}`
}

/** Reports progress only while the run can still make some. */
function health({ status, convergence: { health: now, evidence, before } }: RunState, told: string): string[] {
  if (now === 'PROGRESSING') {
    return before === null || status === 'failed' || status === 'aborted'
      ? []
      : ['The monitor says PROGRESSING: it sees no trouble.']
  }
  const because = evidence === null || told.includes(evidence) ? '' : `: ${plain(evidence, 300)}`
  return [sentence(`The monitor says ${now}${because}`)]
}

function recovered({ convergence: { recoveries } }: RunState): string[] {
  const tried = Object.entries(recoveries).map(([from, n]) => `${plural(n, 'recovery', 'recoveries')} from ${from}`)
  return tried.length > 0 ? [`Tried so far: ${tried.join(', ')}.`] : []
}

function checks(state: RunState): string[] {
  if (state.config.checks.length === 0) return ['No checks are configured: nothing is verified.']
  const red = redOnBase(state).map((check) => plain(check, 60))
  return [
    ...(red.length > 0 ? [`Red before the first task: ${red.join(', ')}. A task must not make that worse.`] : []),
    ...Object.values(state.flaky).map(({ check, runs, passed }) =>
      [
        `${plain(check, 60)} is flaky: it passed in ${passed} of ${plural(runs, 'run')} on the same tree.`,
        'When it fails again, no agent is asked to fix it.',
      ].join(' '),
    ),
  ]
}

function attention(state: RunState): string[] {
  const text = attentionText(state)
  return text === '' ? [] : [`To review: ${text}.`]
}

const isTelling = ({ status, failures, falls = 0 }: TaskState): boolean =>
  status === 'failed'
  || status === 'blocked'
  || falls > 0
  || (status !== 'done' && status !== 'split' && failures.length > 0)

function taskText(task: TaskState, state: RunState): string {
  const last = task.failures.at(-1)
  const tests = failingText(last?.failing ?? [], state)
  const status = task.status === 'cancelled' ? 'skipped' : task.status
  return facts(
    `${task.id} ${plain(task.title, 80)}: ${status} after ${plural(task.attempts, 'attempt')}`,
    (task.falls ?? 0) > 0 && `undone ${times(task.falls ?? 0)} since it was first done`,
    plain(task.reason ?? (last ? `last failure: ${last.summary}` : ''), 240),
    tests !== '' && plain(tests, 240),
  )
}

function waits(state: RunState, liveness: Liveness): string[] {
  const { live } = liveness
  const waiting = state.order
    .flatMap((id) => state.tasks[id] ?? [])
    .filter(({ status, waitingOn }) => status === 'todo' && waitingOn > 0)
  return [
    ...openQuestions(state).map(
      ({ id, text, blocks, options }) =>
        `An answer to ${id}${blocks.length > 0 ? ` (${blocks.join(', ')})` : ''}: `
        + `${plain(text, 300)}${optionsText(options)}`,
    ),
    ...(live ? activities(state, null).map((what) => `${what}.`) : []),
    ...Object.entries(state.quotas)
      .filter(([, until]) => until > state.lastAt)
      .map(([who, until]) => `${plain(who.replace(/\/$/, ''), 60)} is out of quota until ${clock(until)}.`),
    ...waiting
      .slice(0, 10)
      .map(
        ({ id, dependsOn }) => `${id} waits for ${dependsOn.filter((each) => !isSatisfied(state, each)).join(', ')}.`,
      ),
    ...yourWord(state, liveness),
  ]
}

/**
 * Same rule as in the core: a cancelled dependency does not block, and a split task is satisfied when its parts are.
 */
function isSatisfied(state: RunState, id: string): boolean {
  const task = state.tasks[id]
  if (task?.status === 'split') return task.children.every((child) => isSatisfied(state, child))
  return task?.status === 'done' || task?.status === 'cancelled'
}

function yourWord(state: RunState, liveness: Liveness): string[] {
  if (state.status !== 'paused' || state.discardedAt !== null || openQuestions(state).length > 0) return []
  if (state.pause?.kind === 'limit') return ['A higher limit.']
  const { hint } = advice(state, liveness)
  return [`Your decision.${hint === null ? '' : ` ${plain(hint, 300)}`}`]
}

const mostNext = 12

function next(state: RunState, liveness: Liveness, { facts: conclusions, work }: Intent): string[] {
  // Without the landed changes, the run cannot continue.
  if (state.discardedAt !== null) return []
  const resting = state.status !== 'running' || !liveness.live
  const wanted = work.filter(({ id }) => resting || state.works[id] === undefined)
  const would = [...conclusions.map(conclusionText), ...wanted.map((each) => workText(each, conclusions))].filter(
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
function workText(work: Work, told: readonly Fact[]): string | null {
  if (work.kind === 'prepare' && told.length > 0) return null
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
      return `wait until ${clock(work.until)}`
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

export function explanationText(
  { why: because, waits: waiting, next: then, commands }: Explanation,
  paint: Paint = noPaint,
  width: Width = null,
): string {
  const block = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [paint.strong(title), ...lines.map((line) => `  ${line}`), '']
  const text = (lines: readonly string[]): string[] => lines.map((line) => wrap(line, width, 4).join('\n    '))
  const steps = align(commands.map(({ command, what }) => [command, paint.faint(what)]))
  return `${[
    ...block('Why it is in this state', text(because)),
    ...block('What it waits for', text(waiting)),
    ...block('What comes next', text(then)),
    ...block('What you can do', steps),
  ]
    .join('\n')
    .trimEnd()}\n`
}
