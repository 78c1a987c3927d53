/**
 * Turns a judge's answer into a verdict. The engine computes the level and ignores what the agent says about approval.
 */
import type { Config } from '../../model/config.ts'
import type { SupervisorResult } from '../../model/results.ts'
import type { EscalationLevel, Verdict } from '../../model/verdict.ts'

const criticalAbove = 4
const abortAbove = 5

export function judge(answer: SupervisorResult, thresholds: Config['thresholds']): Verdict {
  const score = clamp(answer.score)
  const level = levelOf(score, answer, thresholds)
  return {
    score,
    level,
    approved: score >= thresholds.approve && level === 'none',
    summary: answer.summary,
    issues: answer.issues.map(({ severity, message }) => ({ severity, message })),
    missing: answer.missing,
    feedback: answer.feedback,
  }
}

/** All remarks of a judge, for the next prompt of the agent. */
export const remarksOf = (lead: string, { summary, feedback, issues, missing }: Verdict): string =>
  [
    lead,
    summary,
    feedback,
    ...issues.map(({ severity, message }) => `- ${severity}: ${message}`),
    ...missing.map((what) => `- missing: ${what}`),
  ]
    .filter((line) => line !== '')
    .join('\n')

const clamp = (score: number): number => (Number.isFinite(score) ? Math.min(100, Math.max(0, Math.round(score))) : 0)

function levelOf(score: number, { issues }: SupervisorResult, thresholds: Config['thresholds']): EscalationLevel {
  // With an approving score, minor issues do not raise the level.
  const approving = score >= thresholds.approve
  const weight = approving ? issues.filter(({ severity }) => severity !== 'minor').length : issues.length
  if (weight > abortAbove) return 'abort'
  if (weight > criticalAbove) return 'critical'
  if (approving) return 'none'
  if (score >= thresholds.revise) return 'remind'
  return score >= 30 ? 'correct' : 'refocus'
}
