/** How to resume a paused run: as one line for people, and as fields for readers. */
import type { PauseReason, Resume } from './pause.ts'

type Hint = Pick<PauseReason, 'hint' | 'resume'>

const resumed = (lead: string, { fix = null, isLater = false, options = '' }: Partial<Resume> = {}): Hint => ({
  hint: `${lead}: looper resume${options === '' ? '' : ` ${options}`}`,
  resume: { fix, isLater, options },
})

export const resumeNow: Hint = resumed('Go on')
export const resumeLater: Hint = resumed('Go on later', { isLater: true })

/** `fix`: what a person does first, without a full stop. */
export const resumeAfter = (fix: string, options = ''): Hint => resumed(`${fix}, then`, { fix, options })

/** `options`: those that raise the limit. */
export const raiseAndResume = (options: string): Hint => resumed('Raise it and go on', { options })

/** It has steps of its own, so it has no fields. */
export const answerAndResume = (question: string): Hint => ({
  hint: `Answer and go on: looper answer ${question} "<answer>" && looper resume`,
})
