/**
 * Questions and decisions in an agent's answer: each is recorded once, and a question with a default is answered by it.
 */
import { firstNames } from '../../model/and-more.ts'
import type { Fact, PauseReason } from '../../model/event.ts'
import type { DecisionAnswer, QuestionAnswer } from '../../model/results.ts'
import type { QuestionState, RunState } from '../../model/state.ts'
import { waitsFor } from '../../model/waiting-reason.ts'
import { isPartOf, partOrigin } from '../../model/work-id.ts'
import { answerAndResume } from '../../model/resume-hint.ts'

/** Limits per answer: a person reads questions one by one, and every prompt repeats decisions. */
const mostQuestions = 10
const mostDecisions = 20

/** Reports once that an answer contained more than the run accepts. */
function surplus(
  { findings }: RunState,
  what: 'questions' | 'decisions',
  given: number,
  task: string | null,
  answer: string,
): Fact[] {
  const most = what === 'questions' ? mostQuestions : mostDecisions
  const origin = partOrigin(answer, what)
  if (given <= most || findings.some((finding) => finding.origin === origin)) return []
  const title = `${given - most} of ${given} ${what} were not accepted`
  return [{ type: 'finding.raised', severity: 'WARNING', title, detail: `one answer may have ${most}`, task, origin }]
}

/** The facts still missing for these questions: one to ask each, and one to answer each that has a default. */
export function askQuestions(
  state: RunState,
  questions: readonly QuestionAnswer[],
  origin: string,
  blocks: (question: QuestionAnswer) => string[],
): Fact[] {
  const known = new Map(state.questions.map((question) => [question.origin, question]))
  let next = state.questions.length
  const facts = questions.slice(0, mostQuestions).flatMap((question, index): Fact[] => {
    const from = partOrigin(origin, index)
    const asked = known.get(from)
    const id = asked?.id ?? `Q${++next}`
    const facts: Fact[] = []
    if (!asked) {
      facts.push({
        type: 'question.asked',
        question: {
          id,
          text: question.text,
          options: question.options,
          default: question.default,
          blocks: blocks(question),
          origin: from,
        },
      })
    }
    if (question.default !== null && (asked?.answer ?? null) === null) {
      facts.push({ type: 'question.answered', question: id, answer: question.default, by: 'default' })
    }
    return facts
  })
  return [...facts, ...surplus(state, 'questions', questions.length, null, origin)]
}

export const openFor = (state: RunState, task: string): QuestionState[] =>
  state.questions.filter((question) => question.answer === null && question.blocks.includes(task))

export const openFrom = (state: RunState, origin: string): QuestionState[] =>
  state.questions.filter((question) => question.answer === null && isPartOf(question.origin, origin))

/** Why the run waits for a person; null when no question is open. */
export function waitingFor(open: readonly QuestionState[]): PauseReason | null {
  const [first] = open
  if (!first) return null
  return {
    kind: 'question',
    detail:
      open.length === 1
        ? `${waitsFor(first.id)}: ${first.text}`
        : `waiting for answers to ${open.length} questions, first ${first.id}: ${first.text}`,
    ...answerAndResume(first.id),
  }
}

export function recordDecisions(
  state: RunState,
  decisions: readonly DecisionAnswer[],
  task: string | null,
  origin: string,
): Fact[] {
  const known = new Set(state.decisions.map((decision) => decision.origin))
  let next = state.decisions.length
  const facts = decisions.slice(0, mostDecisions).flatMap((decision, index): Fact[] => {
    const from = partOrigin(origin, index)
    if (known.has(from)) return []
    const { title, context, choice, alternatives, dependsOn, invalidatedIf } = decision
    const plainAlternatives = alternatives.map(({ option, why }) => ({ option, why }))
    return [
      {
        type: 'decision.recorded',
        decision: {
          id: `D${++next}`,
          title,
          context,
          choice,
          alternatives: plainAlternatives,
          dependsOn,
          invalidatedIf,
          task,
          origin: from,
        },
      },
    ]
  })
  return [...facts, ...surplus(state, 'decisions', decisions.length, task, origin)]
}

/**
 * Reports that a read-only role changed files. They were restored, except in place, where the files are the user's own.
 */
export function caughtEditing(
  state: RunState,
  edited: readonly string[],
  role: string,
  task: string | null,
  origin: string,
): Fact[] {
  if (edited.length === 0 || state.findings.some((finding) => finding.origin === origin)) return []
  const files = firstNames(edited, 5)
  return [
    {
      type: 'finding.raised',
      severity: 'WARNING',
      title: `${role} changed files although it may only read`,
      detail: `${state.config.workspace.mode === 'in-place' ? 'Still there' : 'Put back'}: ${files}`,
      task,
      origin,
    },
  ]
}
