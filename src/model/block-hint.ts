/** What a person can do about a blocked task: one line that ends with the command that resumes the run. */
import type { PauseReason } from './pause.ts'
import type { BlockKind } from './task.ts'
import { resumeAfter } from './resume-hint.ts'

const fixes: Record<BlockKind, (task: string) => string> = {
  dependency: (task) => `Make available what ${task} needs, or skip it (looper task skip ${task})`,
  external: (task) => `Remove what blocks ${task}, or skip it (looper task skip ${task})`,
  fundamental: (task) => `Fix the task ${task} or the goal, or skip it (looper task skip ${task})`,
}

export const blockHint = (kind: BlockKind, task: string): Pick<PauseReason, 'hint' | 'resume'> =>
  resumeAfter(fixes[kind](task))
