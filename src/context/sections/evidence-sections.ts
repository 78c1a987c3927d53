/** Sections about evidence: checks, the change itself, and claims of agents. */
import type { CoderResult, TesterResult } from '../../model/results.ts'
import { newestAnswer } from '../../views/facts/ledger.ts'
import { facts } from '../../views/facts/progress.ts'
import { bullets, checkText, evidenceText, lines } from '../material.ts'
import { partly, taskOf, taskOrNull, type MakeSection } from './section-input.ts'

const together = 'Checks that Looper runs from time to time, on all that has landed'

export const configuredChecks: MakeSection = ({ state: { config } }) => {
  const visible = config.checks.filter(({ hidden }) => !hidden)
  const priority = 75
  const none = 'None are configured: prove the work as well as you can yourself.'
  if (visible.length === 0) return { title: 'Checks', lead: none, body: '', priority }
  const text = (isForWaves: boolean): string =>
    visible
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

/** Checks of the task's attempt, or of the goal. Hidden checks stay hidden, even from judges. */
export const checkResults: MakeSection = (input) => {
  const task = taskOrNull(input)
  const all = task === null ? input.state.gate.checks : (task.attempt?.checks ?? [])
  return {
    title: 'Check results',
    priority: 90,
    minTokens: partly,
    lead:
      all.length > 0
        ? 'Looper ran these commands itself; they are facts.'
        : 'Looper ran no check on this: nothing is proved yet.',
    body: all
      .filter(({ hidden }) => !hidden)
      .map(checkText)
      .join('\n\n'),
  }
}

export const diff: MakeSection = ({ diff: text }) =>
  text === null || text.trim() === ''
    ? null
    : {
        title: 'The change',
        lead: 'As a diff against where the work began.',
        body: text,
        priority: 85,
        minTokens: partly,
      }

export const coderClaim: MakeSection = (input) => {
  const said = newestAnswer(input.state, taskOf(input).id, 'coder') as Partial<CoderResult> | undefined
  const { summary = '' } = said ?? {}
  if (summary.trim() === '') return null
  return { title: 'What the coder says', lead: 'A claim, not evidence.', body: summary, priority: 50, minTokens: 100 }
}

export const testerReport: MakeSection = (input) => {
  const said = newestAnswer(input.state, taskOf(input).id, 'tester') as Partial<TesterResult> | undefined
  if (said?.status === undefined) return null
  const { status, total, passed, failed, failures = [], summary } = said
  const counted = { tried: total, passed, failed }
  const numbers = facts(status, ...Object.entries(counted).map(([what, n]) => n !== undefined && `${n} ${what}`))
  const body = lines(numbers, summary, bullets(failures.map(({ name, file, error }) => facts(name, file, error))))
  return { title: 'What the tester says', lead: 'A claim, not evidence.', body, priority: 60, minTokens: 200 }
}

export const tasksWithEvidence: MakeSection = ({ state }) => ({
  title: 'The tasks and what proves them',
  priority: 95,
  minTokens: 800,
  body: state.order
    .flatMap((id) => state.tasks[id] ?? [])
    .map(evidenceText)
    .join('\n'),
})

/** The tasks that landed since the last review. */
export const waveTasks: MakeSection = ({ state }) => ({
  title: 'The tasks to judge',
  priority: 100,
  mandatory: true,
  body: [...new Set(state.waveTasks)]
    .flatMap((id) => state.tasks[id] ?? [])
    .filter(({ status }) => status === 'done')
    .map(evidenceText)
    .join('\n\n'),
})
