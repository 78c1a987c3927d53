/** Words a judge's score so that people do not read it as praise. */
import type { EscalationLevel, Verdict } from '../../model/verdict.ts'

const levels: Record<EscalationLevel, string> = {
  none: '',
  remind: 'nearly there',
  correct: 'needs correction',
  refocus: 'off track',
  critical: 'many problems',
  abort: 'too many problems',
}

const rejection = new RegExp(`^(the supervisor rejected it \\(score \\d+), (${Object.keys(levels).join('|')})\\)`)

/** "rejected it (score 45, correct)" becomes "rejected it (score 45, needs correction)". Journals store the level. */
export const withLevelWords = (text: string): string =>
  text.replace(rejection, (_, before: string, level: EscalationLevel) =>
    levels[level] === '' ? `${before})` : `${before}, ${levels[level]})`,
  )

/** "score 45 (needs correction)" */
export const scoreWords = ({ score, level }: Pick<Verdict, 'score' | 'level'>): string =>
  `score ${score}${levels[level] === '' ? '' : ` (${levels[level]})`}`
