/** The roles an agent can play, what each is asked for, and what each may touch. */

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

/** Only these may change files; everyone else works behind a diff check. */
export const writes = (role: Role, purpose: Purpose): boolean =>
  role === 'coder' || (role === 'iterator' && purpose !== 'review')
