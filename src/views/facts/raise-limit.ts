/** Puts a number into the command that raises a limit, so that the command works when pasted. */
import type { RunState } from '../../model/state.ts'
import { elapsedMs } from '../../model/elapsed.ts'

type Need = (state: RunState) => { limit: number | null | undefined; used: number }

/** What the run has used, and what the next turn may take: at that much it would pause again. */
const needs: Readonly<Record<string, Need>> = {
  'time-minutes': (state) => ({ limit: state.config.limits.timeMinutes, used: elapsedMs(state) / 60_000 }),
  'wait-minutes': ({ config, waitedMs }) => ({ limit: config.limits.waitMinutes, used: waitedMs / 60_000 }),
  turns: ({ config, turns }) => ({ limit: config.limits.turns, used: turns }),
  'cost-usd': ({ config, usage, dearest }) => ({ limit: config.limits.costUsd, used: usage.costUsd + dearest.costUsd }),
  tokens: ({ config, usage, dearest }) => ({ limit: config.limits.tokens, used: sum(usage) + sum(dearest) }),
  'disk-mb': ({ config, diskBytes = 0 }) => ({ limit: config.limits.diskMb, used: diskBytes / 1_000_000 }),
}

const sum = ({ inputTokens, outputTokens }: RunState['usage']): number => inputTokens + outputTokens

/** `text` has "--turns <more>": twice what is needed is proposed. */
export const withAmounts = (text: string, state: RunState): string =>
  text.replace(/--([a-z-]+) <more>/g, (whole, flag: string) => {
    const need = needs[flag]?.(state)
    return need === undefined ? whole : `--${flag} ${Math.max(1, Math.ceil(2 * Math.max(need.limit ?? 0, need.used)))}`
  })
