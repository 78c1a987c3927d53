/** What a rollback or a discard would take away. */
import { firstNames } from '../../model/and-more.ts'
import type { RunState } from '../../model/state.ts'
import { plain } from '../text/plain-text.ts'

type Landed = Pick<RunState, 'landings' | 'checkpoints'>

const named = (landings: Landed['landings']): string =>
  firstNames([...new Set(landings.map(({ task }) => plain(task)))], 5)

/** The tasks whose changes are on the run branch; empty when nothing has landed. */
export const landedText = ({ landings }: Pick<Landed, 'landings'>): string => named(landings)

/** What a rollback to the last checkpoint before the last landing undoes. A broken landing makes it go back further. */
export function undoneText({ landings, checkpoints }: Landed): string {
  const target = checkpoints.findLast((checkpoint) => checkpoint.landings < landings.length)
  const least = landings.some(({ revert }) => revert === true) ? 'at least ' : ''
  return `${least}${named(landings.slice(target?.landings ?? 0))} (back to ${target?.id ?? 'the base'})`
}
