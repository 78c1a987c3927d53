/** `looper config path`: lists the configuration files. */
import { align } from '../../../views/text/columns.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import { plain } from '../../../views/text/plain-text.ts'
import type { CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  options: [['--json', 'print JSON']],
  examples: [
    ['looper config path', ''],
    ['$EDITOR "$(looper config path --json | jq -r ".[0].path")"', 'your own file'],
  ],
  async run({ app, out, paint }, _, { json }) {
    const files = await app.configPath()
    if (json === true) {
      out.write(`${jsonText(files, 2)}\n`)
      return 0
    }
    const rows = files.map(({ name, path, exists }) => [name, plain(path), exists ? '' : paint.faint('not there')])
    out.write(
      align(rows)
        .map((line) => `${line}\n`)
        .join(''),
    )
    return 0
  },
}
