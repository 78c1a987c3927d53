/**
 * The table of purposes: everything an agent can be asked for, which role is asked, and what such a turn receives and
 * may do.
 */
import type { PurposeRow, SectionName } from './purpose-row.ts'

export const roles = [
  'assessor',
  'shaper',
  'planner',
  'supervisor',
  'coder',
  'tester',
  'expert',
  'counsel',
  'iterator',
  'judge',
] as const
export type Role = (typeof roles)[number]

const judging: readonly Role[] = ['assessor', 'supervisor', 'expert', 'judge']

/** Whether the role gives an opinion, so that its summary is neither a success nor a failure. */
export const givesOpinion = (role: Role): boolean => judging.includes(role)

export type Purpose =
  | 'plan'
  | 'revise'
  | 'split'
  | 'review-plan'
  | 'review-wave'
  | 'verify-task'
  | 'verify-goal'
  | 'scaffold'
  | 'implement'
  | 'fix'
  | 'resolve-conflict'
  | 'test'
  | 'bootstrap'
  | 'repair'
  | 'iterate'
  | 'review'
  | 'judge'

/** Answer shapes, with the variables that their `prompts/result.<shape>.md` may use. */
export const resultShapes = {
  planner: [],
  supervisor: ['APPROVE', 'REVISE'],
  coder: [],
  tester: [],
  iterator: [],
  judge: [],
} as const satisfies Record<string, readonly string[]>

export type ResultShape = keyof typeof resultShapes

const usualTokens = 32_000

/** The task, its earlier failures, and known facts. */
const buildSections = [
  'task',
  'criteria',
  'cutShort',
  'failure',
  'alternateApproach',
  'feedback',
  'goalFeedback',
  'earlierFailures',
  'antiPatterns',
  'answers',
  'goal',
  'dependencies',
  'decisions',
  'findings',
  'overview',
  'configuredChecks',
] as const satisfies SectionName[]

const coding = {
  role: 'coder',
  result: 'coder',
  access: 'write',
  sections: buildSections,
  announced: false,
  budgetTokens: usualTokens,
} as const

const planning = {
  role: 'planner',
  result: 'planner',
  access: 'read',
  announced: true,
  budgetTokens: usualTokens,
} as const

const supervising = { role: 'supervisor', result: 'supervisor', budgetTokens: usualTokens } as const

export const purposes = {
  plan: {
    ...planning,
    template: 'planner.plan',
    sections: ['goal', 'answers', 'goalFeedback', 'antiPatterns', 'configuredChecks'],
    label: 'planning',
  },
  revise: {
    ...planning,
    template: 'planner.revise',
    sections: ['goal', 'planFeedback', 'answers', 'ownPlan', 'configuredChecks'],
    label: 'revising the plan',
  },
  split: { ...planning, template: 'planner.split', sections: buildSections, label: 'splitting' },
  bootstrap: {
    ...planning,
    template: 'planner.bootstrap',
    sections: ['goal', 'configuredChecks'],
    label: 'writing the backlog',
  },
  repair: {
    ...planning,
    template: 'planner.repair',
    sections: ['backlogProblems', 'backlogText', 'goal'],
    label: 'repairing the backlog',
  },
  'review-plan': {
    ...supervising,
    access: 'read',
    template: 'supervisor.review-plan',
    sections: ['goal', 'planToReview', 'answers', 'earlierPlanFeedback', 'configuredChecks'],
    label: 'reviewing the plan',
    announced: true,
  },
  'review-wave': {
    ...supervising,
    access: 'read',
    template: 'supervisor.review-wave',
    sections: [
      'waveTasks',
      'tasksWithEvidence',
      'diff',
      'goal',
      'answers',
      'decisions',
      'antiPatterns',
      'configuredChecks',
    ],
    label: 'reviewing the wave',
    announced: true,
  },
  'verify-task': {
    ...supervising,
    access: 'run',
    template: 'supervisor.verify-task',
    sections: [
      'task',
      'criteria',
      'checkResults',
      'diff',
      'coderClaim',
      'testerReport',
      'earlierFeedback',
      'answers',
      'goal',
      'decisions',
      'findings',
      'overview',
    ],
    label: 'verifying',
    announced: false,
  },
  'verify-goal': {
    ...supervising,
    access: 'run',
    template: 'supervisor.verify-goal',
    sections: ['goal', 'tasksWithEvidence', 'checkResults', 'diff', 'answers', 'decisions', 'findings', 'antiPatterns'],
    label: 'verifying the goal',
    announced: true,
  },
  scaffold: { ...coding, template: 'coder.scaffold', label: 'building the scaffold' },
  implement: { ...coding, template: 'coder.implement', label: 'building' },
  fix: { ...coding, template: 'coder.fix', label: 'fixing' },
  'resolve-conflict': { ...coding, template: 'coder.resolve-conflict', label: 'resolving a conflict' },
  test: {
    role: 'tester',
    result: 'tester',
    access: 'run',
    template: 'tester.test',
    sections: [
      'task',
      'criteria',
      'checkResults',
      'diff',
      'coderClaim',
      'earlierFeedback',
      'answers',
      'goal',
      'decisions',
      'findings',
      'overview',
    ],
    label: 'testing',
    announced: false,
    budgetTokens: usualTokens,
  },
  iterate: {
    role: 'iterator',
    result: 'iterator',
    access: 'write',
    template: 'iterator.iterate',
    sections: [...buildSections, 'recentTasks', 'documents'],
    sectionsWithoutTask: ['answers', 'goal', 'configuredChecks'],
    label: 'working',
    announced: false,
    budgetTokens: usualTokens,
  },
  review: {
    role: 'iterator',
    result: 'iterator',
    access: 'read',
    template: 'iterator.review',
    sections: ['goal', 'tasksWithEvidence', 'documents', 'findings', 'configuredChecks'],
    label: 'reviewing the backlog',
    announced: true,
    budgetTokens: usualTokens,
  },
  judge: {
    role: 'judge',
    result: 'judge',
    access: 'read',
    template: 'judge.judge',
    sections: ['goal', 'diff', 'configuredChecks'],
    label: 'judging',
    announced: true,
    budgetTokens: usualTokens,
  },
} as const satisfies Record<Purpose, PurposeRow<Role, ResultShape>>

export const isPurpose = (name: string): name is Purpose => Object.hasOwn(purposes, name)

/** Whether turns of this purpose may change files. Looper undoes the changes of all others. */
export const writes = (purpose: Purpose): boolean => purposes[purpose].access === 'write'
