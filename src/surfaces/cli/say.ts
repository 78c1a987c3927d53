/** Prints a sentence: wrapped at words on a terminal, with runs named by their numbers. */
import { shortRuns } from '../../views/text/name-run.ts'
import { plain } from '../../views/text/plain-text.ts'
import { wrapLines } from '../../views/text/rows.ts'
import { widthOf, type CliContext } from './context.ts'

/** `indent`: columns before the sentence. */
export const say = ({ io, out }: Pick<CliContext, 'io' | 'out'>, sentence: string, indent = 0): void =>
  out.write(`${wrapLines(' '.repeat(indent) + shortRuns(plain(sentence)), widthOf(io))}\n`)
