/** `looper fmt`: formats the backlog. */
import { LooperError } from '../../../api/error.ts'
import { plain, plainBlock } from '../../../views/text/plain-text.ts'
import { backlogArgument, type CommandSpec } from '../command.ts'
import { patchText } from '../patch-text.ts'

interface Options {
  write?: boolean
  check?: boolean
  diff?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [backlogArgument],
  options: [
    ['-w, --write', 'write it back to the file'],
    ['--check', 'exit 1 when the file is not formatted'],
    ['-d, --diff', 'show what would change'],
  ],
  examples: [
    ['looper fmt -w', ''],
    ['looper fmt --check -d', 'for a git hook or CI'],
  ],
  async run({ app, io, out, paint }, [file = null], { write = false, check = false, diff = false }) {
    if (write && check)
      throw new LooperError('USAGE_ARGUMENTS', '--check and --write cannot be used together', {
        hint: 'Give one of them.',
      })
    const found = await app.formatBacklog(file, { write, diff })
    const shown = (text: string): string => (io.isTTY ? plainBlock(text) : text)
    if (diff) out.write(io.isTTY ? patchText(found.diff, paint) : found.diff)
    else if (!write && !check) out.write(shown(found.text))
    if (!diff && write) out.write(`${plain(found.file)} ${found.changed ? 'formatted' : 'is formatted already'}\n`)
    if (!diff && check && found.changed) out.write(`${plain(found.file)} is not formatted: run \`looper fmt -w\`\n`)
    return check && found.changed ? 1 : 0
  },
}
