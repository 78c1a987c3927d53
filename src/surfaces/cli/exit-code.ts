/** Maps the end of a run to an exit code. */
import type { RunState } from '../../api/nouns.ts'
import type { Finished } from '../../api/runs.ts'

export function exitCodeOf({ state, applied }: Pick<Finished, 'state' | 'applied'>): number {
  const code = codeOf(state)
  return code === 0 && applied?.ok === false ? 1 : code
}

function codeOf({ status, pause }: RunState): number {
  switch (status) {
    case 'completed':
      return 0
    case 'failed':
    case 'aborted':
      return 1
    case 'paused':
      return pause?.kind === 'user' ? 130 : 3
    // No process runs it and its journal has no end, so it was interrupted.
    case 'new':
    case 'running':
      return 130
  }
}
