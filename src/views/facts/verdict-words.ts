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

/** "score 45 (needs correction)" */
export const scoreWords = ({ score, level }: Pick<Verdict, 'score' | 'level'>): string =>
  `score ${score}${levels[level] === '' ? '' : ` (${levels[level]})`}`
