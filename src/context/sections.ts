/** The sections a prompt can have. Each is null when the run has nothing for it. */
import { overlap } from '../core/policies/file-overlap.ts'
import type { Failure } from '../model/event.ts'
import { CoderResult, TesterResult } from '../model/results.ts'
import type { RunState, TaskState } from '../model/state.ts'
import type { TurnWork } from '../model/work.ts'
import { severityWords } from '../views/finding-words.ts'
import { coderAnswer, newestAnswer, planAnswer, testerAnswer } from '../views/ledger.ts'
import { plain } from '../views/plain-text.ts'
import { facts } from '../views/progress.ts'
import { levelWording, planWording } from './escalation.ts'
import {
  bullets,
  checkText,
  evidenceText,
  failureText,
  lines,
  numbered,
  overviewText,
  planText,
  taskText,
  verdictText,
} from './material.ts'
import type { Section } from './pack.ts'

type Maybe = Section | null

/** Long material that is worth having in part. */
const partly = 400

export const goal = (state: RunState): Section => ({
  title: 'The goal',
  body: state.goal,
  priority: 100,
  mandatory: true,
})

export const theTask = (task: TaskState): Section => ({
  title: 'The task',
  body: taskText(task),
  priority: 100,
  mandatory: true,
})

export const criteria = (task: TaskState): Section => ({
  title: 'Criteria of the task',
  priority: 100,
  mandatory: true,
  lead:
    task.criteria.length > 0 ? 'All of them must hold.' : 'None were given: the task is met when its description is.',
  body: numbered(task.criteria),
})

export const overview = (state: RunState, current: string | null): Maybe =>
  state.order.length === 0
    ? null
    : { title: 'The plan so far', body: overviewText(state, current), priority: 40, minTokens: partly }

/** Where a retried turn meets what an earlier one left: Looper never resets a user's own checkout. */
export function cutShort(state: RunState, work: TurnWork): Maybe {
  const again = (state.starts[work.id] ?? 0) > 1 || (work.id !== work.slot && work.errors.length === 0)
  if (!again || state.config.workspace.mode !== 'in-place') return null
  const lead =
    'An earlier try at this turn was cut short. Files may be half-edited: look at what is there before you go on.'
  return { title: 'An earlier try was cut short', lead, body: '', priority: 100, mandatory: true }
}

export const lastFailure = (task: TaskState): Failure | null => task.attempt?.failure ?? task.failures.at(-1) ?? null

/** The failure that brought this turn about. A judge's is told as feedback. */
export function failure(state: RunState, task: TaskState): Maybe {
  const last = lastFailure(task)
  if (last === null || last.kind === 'verdict') return null
  const inThisAttempt = task.attempt !== null && last === task.attempt.failure
  const fresh =
    state.config.workspace.mode === 'worktree'
      ? 'The workspace was put back since: none of that attempt is in it.'
      : 'Its changes may still be in the files.'
  const lead = inThisAttempt
    ? 'This is what to mend.'
    : `The last attempt failed of this. ${fresh} Do not repeat what led to it.`
  return { title: 'The last failure', lead, body: failureText(last), priority: 100, mandatory: true }
}

/** What the supervisor said of this task, however long ago: it holds until it is met. */
export function feedback(task: TaskState): Maybe {
  const said = [...task.failures, ...(task.attempt?.failure ? [task.attempt.failure] : [])].findLast(
    ({ kind }) => kind === 'verdict',
  )
  if (said === undefined) return null
  const level = task.verdict !== null && !task.verdict.approved ? task.verdict.level : 'none'
  return {
    title: "The reviewer's feedback",
    lead: levelWording[level],
    body: failureText(said),
    priority: 100,
    mandatory: true,
  }
}

export function earlierFailures(task: TaskState): Maybe {
  const last = lastFailure(task)
  const said = task.failures.findLast(({ kind }) => kind === 'verdict')
  const earlier = task.failures.filter((entry) => entry !== last && entry !== said)
  if (earlier.length === 0) return null
  return {
    title: 'Earlier failures of this task',
    body: earlier.map(failureText).join('\n\n'),
    priority: 70,
    minTokens: partly,
  }
}

export function planFeedback({ plan, config }: RunState): Maybe {
  if (plan.feedback === null) return null
  const lead = planWording(plan.score, config.thresholds)
  return { title: "The reviewer's feedback", lead, body: plan.feedback, priority: 100, mandatory: true }
}

export function goalFeedback({ gate }: RunState): Maybe {
  if (gate.verdict === null || gate.verdict.approved) return null
  const lead = 'The supervisor looked at the whole and did not find the goal met. Act on what concerns your task.'
  return {
    title: "The reviewer's feedback on the goal",
    lead,
    body: verdictText(gate.verdict),
    priority: 100,
    mandatory: true,
  }
}

export function proposedPlan(state: RunState, title: string): Maybe {
  const answer = newestAnswer(state, 'plan', planAnswer)
  return answer === undefined ? null : { title, body: planText(answer), priority: 100, mandatory: true }
}

export function answers(state: RunState): Maybe {
  const given = state.questions.filter(({ answer }) => answer !== null)
  if (given.length === 0) return null
  const body = given.map(
    ({ text, answer, by }) => `Q: ${plain(text)}\nA: ${answer}${by === 'default' ? ' (the default)' : ''}`,
  )
  return {
    title: 'Questions that are answered',
    lead: 'The answers are binding.',
    body: body.join('\n\n'),
    priority: 95,
    mandatory: true,
  }
}

export const decisions = (state: RunState): Maybe =>
  state.decisions.length === 0
    ? null
    : {
        title: 'Decisions made so far',
        lead: 'Stay consistent with them.',
        priority: 60,
        minTokens: partly,
        body: bullets(
          state.decisions.map(({ id, task, title, choice }) => facts(id, task, `${plain(title)}: ${plain(choice)}`)),
        ),
      }

/** A split task is what became of its children. */
const standing = (state: RunState, ids: readonly string[]): TaskState[] =>
  ids
    .flatMap((id) => state.tasks[id] ?? [])
    .flatMap((task) => (task.status === 'split' ? standing(state, task.children) : [task]))

export function dependencies(state: RunState, task: TaskState): Maybe {
  const done = standing(state, task.dependsOn)
  if (done.length === 0) return null
  const body = done
    .map((entry) =>
      lines(
        evidenceText(entry),
        entry.description !== '' && `  ${plain(entry.description, 600)}`,
        entry.summary !== null && entry.summary !== '' && `  done: ${plain(entry.summary, 600)}`,
        entry.files.length > 0 && `  files: ${entry.files.map((file) => plain(file)).join(', ')}`,
      ),
    )
    .join('\n\n')
  return {
    title: 'What this task builds on',
    lead: 'These tasks are in the workspace already.',
    body,
    priority: 65,
    minTokens: partly,
  }
}

/** What was done lately, so that nobody does it again or works against it. */
export function recentTasks(state: RunState): Maybe {
  const latest = state.recent
    .toReversed()
    .flatMap((id) => state.tasks[id] ?? [])
    .filter(({ summary }) => summary !== null)
  if (latest.length === 0) return null
  const body = bullets(
    latest.map(({ id, title, summary }) => `${id} ${plain(title, 100)}: ${plain(summary ?? '', 400)}`),
  )
  return { title: 'What was done lately', body, priority: 45, minTokens: partly }
}

const mostDocuments = 50

export const documents = (names: readonly string[]): Maybe =>
  names.length === 0
    ? null
    : {
        title: 'Documents that the tasks were taken from',
        lead: 'Files of the repository: read in them what concerns your work.',
        body: bullets(names.slice(0, mostDocuments).map((name) => plain(name, 200))),
        priority: 55,
      }

/** Work that stalled is taken up another way. */
export const detour = ({ detour: way }: TaskState): Maybe =>
  way === undefined
    ? null
    : {
        title: 'Take another approach',
        priority: 100,
        mandatory: true,
        body: way.why,
        lead: 'What was tried did not get on. Begin with what those attempts took for granted, and go about it differently.',
      }

/** The task, and what it is a part of. */
const wholes = (state: RunState, { id, parent }: TaskState): string[] => {
  const whole = parent === null ? undefined : state.tasks[parent]
  return [id, ...(whole ? wholes(state, whole) : [])]
}

/** What was rolled back, wherever it is near: the task itself, its files, or the whole. */
export function antiPatterns(state: RunState, task: TaskState | null): Maybe {
  const near = state.antiPatterns.filter(
    ({ tasks, files }) =>
      task === null
      || wholes(state, task).some((id) => tasks.includes(id))
      || files.some((file) => task.files.some((own) => overlap(file, own))),
  )
  if (near.length === 0) return null
  const body = near.map(({ id, title, tried, evidence, why }) =>
    lines(
      `${id} ${plain(title, 200)}`,
      tried !== '' && `  tried: ${plain(tried, 600)}`,
      evidence !== '' && `  evidence: ${plain(evidence, 400)}`,
      `  why it failed: ${plain(why, 300)}`,
    ),
  )
  const lead = 'It was rolled back. Do not do it that way again.'
  return { title: 'What was tried and failed', lead, body: body.join('\n\n'), priority: 92, minTokens: partly }
}

/** The tasks that landed since the last review. */
export const waveTasks = (state: RunState): Section => ({
  title: 'The tasks to judge',
  priority: 100,
  mandatory: true,
  body: [...new Set(state.waveTasks)]
    .flatMap((id) => state.tasks[id] ?? [])
    .filter(({ status }) => status === 'done')
    .map(evidenceText)
    .join('\n\n'),
})

export const backlogProblems = ({ backlog }: RunState): Maybe =>
  backlog === null || backlog.problems.length === 0
    ? null
    : { title: 'What is wrong with the backlog', body: bullets(backlog.problems), priority: 100, mandatory: true }

export const backlogText = ({ backlog }: RunState): Maybe =>
  backlog?.text === undefined
    ? null
    : { title: 'The backlog as it is', body: backlog.text, priority: 99, minTokens: 2_000 }

export function configuredChecks({ config }: RunState): Section {
  const told = config.checks.filter(({ hidden }) => !hidden)
  const priority = 75
  const none = 'None are configured: prove the work as well as you can yourself.'
  if (told.length === 0) return { title: 'Checks', lead: none, body: '', priority }
  const text = (isForWaves: boolean): string =>
    told
      .filter(({ when }) => (when === 'wave') === isForWaves)
      .map(({ name, run }) => (name === run ? run : `${name}: ${run}`))
      .join('\n')
  const [each, waves] = [text(false), text(true)]
  if (each === '') return { title: together, priority, body: waves }
  return {
    title: 'Checks that Looper runs after every task',
    priority,
    body: waves === '' ? each : `${each}\n\n${together}:\n${waves}`,
  }
}

const together = 'Checks that Looper runs from time to time, on all that has landed'

export function findings(state: RunState, task: string | null): Maybe {
  const own = state.findings.filter((finding) => task === null || finding.task === task)
  if (own.length === 0) return null
  const body = bullets(
    own.map((finding) => facts(`${severityWords(state, finding)} ${plain(finding.title)}`, plain(finding.detail, 400))),
  )
  return { title: 'Findings', body, priority: 55, minTokens: partly }
}

/** What is held out stays so, also from those who judge. */
export function checkResults(all: RunState['gate']['checks']): Section {
  const checks = all.filter(({ hidden }) => !hidden)
  return {
    title: 'Check results',
    priority: 90,
    minTokens: partly,
    lead:
      all.length > 0
        ? 'Looper ran these commands itself; they are facts.'
        : 'Looper ran no check on this: nothing is proved yet.',
    body: checks.map(checkText).join('\n\n'),
  }
}

export const diff = (text: string | null): Maybe =>
  text === null || text.trim() === ''
    ? null
    : {
        title: 'The change',
        lead: 'As a diff against where the work began.',
        body: text,
        priority: 85,
        minTokens: partly,
      }

export function coderClaim(state: RunState, task: TaskState): Maybe {
  const said = CoderResult.safeParse(newestAnswer(state, task.id, coderAnswer))
  if (!said.success || said.data.summary.trim() === '') return null
  return {
    title: 'What the coder says',
    lead: 'A claim, not evidence.',
    body: said.data.summary,
    priority: 50,
    minTokens: 100,
  }
}

export function testerReport(state: RunState, task: TaskState): Maybe {
  const said = TesterResult.safeParse(newestAnswer(state, task.id, testerAnswer))
  if (!said.success) return null
  const { status, total, passed, failed, failures, summary } = said.data
  const counted = { tried: total, passed, failed }
  const numbers = facts(status, ...Object.entries(counted).map(([what, n]) => n !== undefined && `${n} ${what}`))
  const body = lines(numbers, summary, bullets(failures.map(({ name, file, error }) => facts(name, file, error))))
  return { title: 'What the tester says', lead: 'A claim, not evidence.', body, priority: 60, minTokens: 200 }
}

export const tasksWithEvidence = (state: RunState): Section => ({
  title: 'The tasks and what proves them',
  priority: 95,
  minTokens: 800,
  body: state.order
    .flatMap((id) => state.tasks[id] ?? [])
    .map(evidenceText)
    .join('\n'),
})
