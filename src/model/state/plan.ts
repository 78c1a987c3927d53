/** The plan and what its reviewer said. */
import type { Verdict } from '../verdict.ts'

export interface PlanSlice {
  plan: {
    revision: number
    accepted: boolean
    score: number | null
    /** The reviewer's words on the last rejected revision. */
    feedback: string | null
    verdict: Verdict | null
  }
}
