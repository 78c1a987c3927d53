/** Why work is lost that was under way when its engine ended. It is done again after the resume. */

export const engineGone = 'the engine that did it is gone'

/** Older journals have a second wording. */
export const isInterruption = (why: string): boolean => why === engineGone || why === 'the engine that ran it ended'
