/** Follows the log of a run for the live lines of its agents. */
import type { RunState } from '../../api/nouns.ts'
import { recordCall, turnLines, type LastCalls } from '../../views/live/turn-activity.ts'
import type { CliContext } from './context.ts'

interface FollowedAgents {
  /** Starts to follow; only the first call counts. */
  follow(run: string): void
  lines(state: RunState, width: number): string[]
  stop(): void
}

export function followAgents({ app }: Pick<CliContext, 'app'>): FollowedAgents {
  const calls: LastCalls = new Map()
  const stopping = new AbortController()
  let isFollowing = false
  const read = async (run: string): Promise<void> => {
    const request = {
      follow: true,
      last: 0,
      task: null,
      types: ['tool_use', 'command'],
      signal: stopping.signal,
    } as const
    for await (const event of app.logs(run, request)) recordCall(calls, event)
  }
  return {
    follow(run) {
      if (isFollowing || run === '') return
      isFollowing = true
      // The lines are an extra: a log that cannot be read must not disturb the run.
      read(run).catch(() => {})
    },
    lines: (state, width) => turnLines(state, calls, width),
    stop: () => stopping.abort(),
  }
}
