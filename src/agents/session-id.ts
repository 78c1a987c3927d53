/** Decides which sessions can be resumed. */
import type { AgentConfig } from '../model/config.ts'

/** Never begins with a dash, so that an id cannot be taken for an option. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9_-]{7,99}$/

/** Null when the id is invalid, or when the argument `forgetful` disables the saving of sessions. */
export const resumable = (id: unknown, { args = [] }: AgentConfig, forgetful: string | null = null): string | null =>
  typeof id === 'string' && wellFormed.test(id) && (forgetful === null || !args.includes(forgetful)) ? id : null
