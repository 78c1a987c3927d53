/** The type of a row in the table of purposes. The table itself is in purposes.ts. */

/** Sections of a prompt's context. `context/sections/` has one function for each. */
export type SectionName =
  | 'alternateApproach'
  | 'answers'
  | 'antiPatterns'
  | 'backlogProblems'
  | 'backlogText'
  | 'checkResults'
  | 'coderClaim'
  | 'configuredChecks'
  | 'criteria'
  | 'cutShort'
  | 'decisions'
  | 'dependencies'
  | 'diff'
  | 'documents'
  | 'earlierFailures'
  | 'earlierFeedback'
  | 'earlierPlanFeedback'
  | 'failure'
  | 'feedback'
  | 'findings'
  | 'goal'
  | 'goalFeedback'
  | 'overview'
  | 'ownPlan'
  | 'planFeedback'
  | 'planToReview'
  | 'recentTasks'
  | 'task'
  | 'tasksWithEvidence'
  | 'testerReport'
  | 'waveTasks'

export interface PurposeRow<Role extends string, Shape extends string> {
  role: Role
  /** The shape of the answer: its schema is in results.ts, its description in `prompts/result.<shape>.md`. */
  result: Shape
  /**
   * `write`: may change files. `run`: changes nothing, but runs programs that write caches and open ports. `read`:
   * changes nothing. Looper undoes the changes of a turn without `write`.
   */
  access: 'write' | 'run' | 'read'
  /** The file in `prompts/`, without `.md`. */
  template: string
  /** The sections of the prompt, in this order. */
  sections: readonly SectionName[]
  /** Replaces `sections` for a turn that is not about a task. */
  sectionsWithoutTask?: readonly SectionName[]
  /** Shown to people while the turn runs. */
  label: string
  /** Whether the start of the turn gets its own line; other turns appear in lines about their task. */
  announced: boolean
  /** Token budget of the context; sections that do not fit are shortened or omitted. */
  budgetTokens: number
}
