/** The plan and its reviewer's feedback. */
import type { Verdict } from '../verdict.ts'

export interface PlanSlice {
  plan: {
    revision: number
    accepted: boolean
    score: number | null
    /** The reviewer's feedback on the last rejected revision. */
    feedback: string | null
    verdict: Verdict | null
  }
}
