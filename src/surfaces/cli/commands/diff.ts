/**
 * `looper diff`: prints the changes of a run: as an exact patch into a pipe, without control characters on a terminal.
 */
import type { Paint } from '../../../views/text/paint.ts'
import { plainBlock } from '../../../views/text/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { patchText } from '../patch-text.ts'

export const command: CommandSpec<{ stat?: boolean }> = {
  arguments: [runArgument],
  options: [['--stat', 'only file names and line counts']],
  examples: [
    ['looper diff --stat', ''],
    ['looper diff 3 > changes.patch', ''],
  ],
  async run({ app, io, out, paint }, [run = null], { stat = false }) {
    const bytes = await app.diff(run, { stat, exact: !io.isTTY })
    if (io.isTTY) out.write(shown(new TextDecoder().decode(bytes), stat, paint))
    else out.write(bytes)
    return 0
  },
}

function shown(text: string, stat: boolean, paint: Paint): string {
  if (text === '') return 'No changes.\n'
  return stat ? plainBlock(text) : patchText(text, paint)
}
