/** One line for each agent at work: what it did last. */
import type { LogEvent } from '../../model/log.ts'
import { purposes } from '../../model/purposes.ts'
import type { RunState } from '../../model/state.ts'
import { toolText } from '../history/log-text.ts'
import { cut } from '../text/columns.ts'
import { facts } from '../facts/progress.ts'
import { plain } from '../text/plain-text.ts'

/** The last tool call or command of each turn, by the id of the turn. */
export type LastCalls = Map<string, string>

export function recordCall(calls: LastCalls, event: LogEvent): void {
  if (event.turn === null || event.agent === null) return
  if (event.type === 'tool_use') calls.set(event.turn, toolText(event))
  if (event.type === 'command') calls.set(event.turn, `$ ${plain(event.command, 200)}`)
}

/** At most `width` columns each. */
export const turnLines = ({ works }: Pick<RunState, 'works'>, calls: LastCalls, width: number): string[] =>
  Object.values(works).flatMap(({ work }) => {
    if (work.kind !== 'turn') return []
    const who = facts(work.task ?? purposes[work.purpose].label, plain(work.agent, 30))
    return [cut(`  ${who}: ${calls.get(work.id) ?? 'started'}`, width)]
  })
