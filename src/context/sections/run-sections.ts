/** Sections about the whole run: its goal, and the decisions of people and agents. */
import { severityWords } from '../../views/facts/finding-words.ts'
import { plain } from '../../views/text/plain-text.ts'
import { facts } from '../../views/facts/progress.ts'
import { bullets } from '../material.ts'
import { partly, taskOrNull, type MakeSection } from './section-input.ts'

export const goal: MakeSection = ({ state }) => ({
  title: 'The goal',
  body: state.goal,
  priority: 100,
  mandatory: true,
})

export const answers: MakeSection = ({ state }) => {
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

export const decisions: MakeSection = ({ state }) => {
  if (state.decisions.length === 0) return null
  const body = bullets(
    state.decisions.map(({ id, task, title, choice }) => facts(id, task, `${plain(title)}: ${plain(choice)}`)),
  )
  return { title: 'Decisions made so far', lead: 'Stay consistent with them.', body, priority: 60, minTokens: partly }
}

/** Findings of the task; all findings in a turn without a task. */
export const findings: MakeSection = (input) => {
  const { state } = input
  const task = taskOrNull(input)
  const own = state.findings.filter((finding) => task === null || finding.task === task.id)
  if (own.length === 0) return null
  const body = bullets(
    own.map((finding) => facts(`${severityWords(state, finding)} ${plain(finding.title)}`, plain(finding.detail, 400))),
  )
  return { title: 'Findings', body, priority: 55, minTokens: partly }
}

const mostDocuments = 50

export const documents: MakeSection = (input) => {
  const names = input.documents()
  if (names.length === 0) return null
  return {
    title: 'Documents that the tasks were taken from',
    lead: 'Files of the repository: read in them what concerns your work.',
    body: bullets(names.slice(0, mostDocuments).map((name) => plain(name, 200))),
    priority: 55,
  }
}
