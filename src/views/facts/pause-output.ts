/** The last lines of the output that explains a pause, safe to print. */
import type { PauseReason } from '../../model/event.ts'
import { plain, plainBlock } from '../text/plain-text.ts'

export const outputLines = (reason: PauseReason | null): string[] =>
  plainBlock(reason?.output ?? '')
    .split('\n')
    .map((line) => plain(line, 200))
    .filter((line) => line !== '')
