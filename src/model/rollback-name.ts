/** How people name the target of a rollback. */
import type { RunState } from './state.ts'

/** The target of a rollback, as `looper rollback --to` accepts it. */
export const rollbackName = (
  { to, checkpoint }: { to: string; checkpoint: string | null },
  { base }: Pick<RunState, 'base'>,
): string => checkpoint ?? (to === base.commit ? 'the base' : to.slice(0, 8))
