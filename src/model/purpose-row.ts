/** What the table of purposes says of each purpose. The table itself is purposes.ts. */

/** Parts that a prompt's context can have. `context/sections/` has one function for each. */
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
   * changes nothing. What a turn without `write` changes is undone.
   */
  access: 'write' | 'run' | 'read'
  /** The file in `prompts/`, without `.md`. */
  template: string
  /** What the prompt holds, in this order. */
  sections: readonly SectionName[]
  /** Replaces `sections` for a turn that is not about a task. */
  sectionsWithoutTask?: readonly SectionName[]
  /** For people, while the turn runs. */
  label: string
  /** Whether the start of the turn is a line of its own; other turns show in lines about their task. */
  announced: boolean
  /** Room for the context; sections that do not fit are shortened or left out. */
  budgetTokens: number
}
