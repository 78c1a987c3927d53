/** The question of the tamper guard: whether a task may weaken the tests or checks that block it. */
import { firstNames } from '../../model/and-more.ts'
import type { Fact } from '../../model/event.ts'
import { parsePermission } from '../../model/permission.ts'
import type { AttemptState, QuestionState, RunState, TaskState } from '../../model/state.ts'
import { attemptId } from '../../model/work-id.ts'

const [allow, refuse] = ['allow', 'refuse']
const mostShown = 5

/** Asks once for each turn (`origin`) that reports itself blocked after the guard rejected its change. */
export function askPermission(
  { questions }: RunState,
  { id }: TaskState,
  { failure }: AttemptState,
  { reason, origin }: { reason: string; origin: string },
): Fact[] {
  const needs = failure?.needs ?? []
  const from = `${origin}#allow`
  if (needs.length === 0 || questions.some((question) => question.origin === from)) return []
  const why = `The agent says that it is blocked: ${reason || 'without a reason'}`
  return [inquiry(questions, id, needs, { why, from })]
}

const afterFailure = '#repeated'

/** A person who reopens a task without an answer, perhaps after a repair by hand, wants it to be tried again. */
export function holdsUp({ origin }: QuestionState, { id, triedBefore = 0 }: TaskState): boolean {
  const answeredByResume = Array.from({ length: triedBefore }, (_, n) => `${attemptId(id, n + 1)}${afterFailure}`)
  return !answeredByResume.includes(origin)
}

/** Asks once about the same findings when the task fails because its agents leave them in place. */
export function askAfterFailure({ questions }: RunState, { id, attempts, failures }: TaskState): Fact[] {
  const { kind, needs = [], summary = '' } = failures.at(-1) ?? {}
  const isKnown = questions.some(
    ({ blocks, allows = [] }) => blocks.includes(id) && needs.every((entry) => allows.includes(entry)),
  )
  if (kind !== 'tamper' || needs.length === 0 || isKnown) return []
  const from = `${attemptId(id, attempts)}${afterFailure}`
  return [
    inquiry(questions, id, needs, { why: `Its agents leave this in place: ${withoutFiles(summary, needs)}`, from }),
  ]
}

/** The permissions name the files of the findings already. */
const withoutFiles = (summary: string, needs: readonly string[]): string =>
  needs
    .flatMap((entry) => parsePermission(entry)?.glob ?? [])
    .reduce((text, file) => text.replaceAll(`${file} › `, '').replaceAll(`${file}: `, ''), summary)

function inquiry(
  questions: readonly QuestionState[],
  task: string,
  needs: string[],
  { why, from }: { why: string; from: string },
): Fact {
  const text = `May ${task} weaken tests or checks (${firstNames(needs, mostShown)})? ${why}`
  const question = { id: `Q${questions.length + 1}`, text, options: [allow, refuse], default: null, blocks: [task] }
  return { type: 'question.asked', question: { ...question, origin: from, allows: needs } }
}

/** The permissions that a person's answer grants: all that were requested, or the ones that it names. */
export function grantedBy({ allows = [] }: QuestionState, answer: string): string[] {
  if (allows.length === 0) return []
  const entries = answer.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length === 1 && entries[0]?.toLowerCase() === allow) return allows
  return entries.every((entry) => parsePermission(entry) !== null) ? entries : []
}
