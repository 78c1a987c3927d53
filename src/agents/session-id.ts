/** Which sessions can be gone on with. */
import type { AgentConfig } from '../model/config.ts'

/** Nothing that an option could be mistaken for. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9_-]{7,99}$/

/** The id; null when it is none, or when `forgetful` among the arguments says that the session is not kept. */
export const resumable = (id: unknown, { args = [] }: AgentConfig, forgetful: string | null = null): string | null =>
  typeof id === 'string' && wellFormed.test(id) && (forgetful === null || !args.includes(forgetful)) ? id : null
