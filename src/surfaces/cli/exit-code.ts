/** How a run ended, as a number for scripts. */
import type { RunState } from '../../model/state.ts'
import type { Finished } from './app.ts'

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
    // Nobody runs it any more and its journal does not say why: it can only have been cut short.
    case 'new':
    case 'running':
      return 130
  }
}
