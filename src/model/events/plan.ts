/** Events about the plan. */

export interface PlanEvents {
  /** The plan is accepted: the run will carry it out. */
  'plan.accepted': { revision: number; score: number | null; why: 'approved' | 'unreviewed' | 'skipped' | 'lowered' }
  /** The plan is returned to the planner with this feedback. */
  'plan.rejected': { revision: number; score: number | null; feedback: string }
}
