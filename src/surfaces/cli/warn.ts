/** Prints warnings and notes: each on a line of stderr. */
import { plain } from '../../views/text/plain-text.ts'
import { wrapLines } from '../../views/text/rows.ts'
import { widthOf, type CliContext } from './context.ts'

type Output = Pick<CliContext, 'io' | 'err' | 'paint'>

export const warn = (context: Output, warnings: readonly string[]): void =>
  print(context, context.paint.warn('!'), warnings)

export const note = (context: Output, notes: readonly string[]): void => print(context, '·', notes)

function print({ io, err }: Output, mark: string, lines: readonly string[]): void {
  for (const line of lines) err.write(`${wrapLines(`${mark} ${plain(line, 600)}`, widthOf(io))}\n`)
}
