/** The question of the tamper guard: whether a task may weaken the tests or checks that block it. */
import type { Fact } from '../model/event.ts'
import { parsePermission } from '../model/permission.ts'
import type { AttemptState, QuestionState, RunState, TaskState } from '../model/state.ts'

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
  const more = needs.length > mostShown ? ` and ${needs.length - mostShown} more` : ''
  const text =
    `May ${id} weaken tests or checks (${needs.slice(0, mostShown).join(', ')}${more})? `
    + `The agent says that it is blocked: ${reason || 'without a reason'}`
  const question = { id: `Q${questions.length + 1}`, text, options: [allow, refuse], default: null, blocks: [id] }
  return [{ type: 'question.asked', question: { ...question, origin: from, allows: needs } }]
}

/** The permissions that a person's answer grants: all that were requested, or the ones that it names. */
export function grantedBy({ allows = [] }: QuestionState, answer: string): string[] {
  if (allows.length === 0) return []
  const entries = answer.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length === 1 && entries[0]?.toLowerCase() === allow) return allows
  return entries.every((entry) => parsePermission(entry) !== null) ? entries : []
}
