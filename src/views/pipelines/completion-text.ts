/** Describes a completion in words. */
import { usualBacklog } from '../../model/config.ts'
import type { LoopStage } from '../../model/loop.ts'
import { nameSource } from '../../model/source.ts'
import { plural } from '../text/format.ts'
import { plain } from '../text/plain-text.ts'

export function completionText({
  completion,
  runs,
  minIterations,
}: Pick<LoopStage, 'completion' | 'runs' | 'minIterations'>): string {
  const atMost = `at most ${plural(runs, 'iteration')}`
  // Two agreeing turns need at least two passes.
  const from =
    minIterations > (completion.kind === 'plateau' ? 2 : 1) ? `, evaluated from iteration ${minIterations} on` : ''
  switch (completion.kind) {
    case 'tasks-empty':
      return `until no task is left in ${nameSource(completion.source, usualBacklog)}, ${atMost}`
    case 'plateau':
      return `until two turns in a row find no further improvement${from}, ${atMost}`
    case 'fixed-n':
      return `exactly ${plural(runs, 'iteration')}`
    case 'all-items':
      return `once for each of ${plural(completion.items.length, 'item')}`
    case 'judge':
      return `until a judge is at least ${Math.round(completion.confidence * 100)} % sure${from}, ${atMost}`
    case 'until':
      return `until \`${plain(completion.command, 80)}\` exits 0${from}, ${atMost}`
  }
}
