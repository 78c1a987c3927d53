/** Prints warnings: each on a line of stderr. */
import { plain } from '../../views/text/plain-text.ts'
import { wrapLines } from '../../views/text/rows.ts'
import { widthOf, type CliContext } from './context.ts'

export function warn({ io, err, paint }: Pick<CliContext, 'io' | 'err' | 'paint'>, warnings: readonly string[]): void {
  for (const warning of warnings) err.write(`${wrapLines(`${paint.warn('!')} ${plain(warning, 600)}`, widthOf(io))}\n`)
}
