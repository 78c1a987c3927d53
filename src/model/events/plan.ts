/** Events about the plan. */

export interface PlanEvents {
  /** The plan is what the run will carry out. */
  'plan.accepted': { revision: number; score: number | null; why: 'approved' | 'unreviewed' | 'skipped' | 'lowered' }
  /** The plan goes back to the planner with this feedback. */
  'plan.rejected': { revision: number; score: number | null; feedback: string }
}
