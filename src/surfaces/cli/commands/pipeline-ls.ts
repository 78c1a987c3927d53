/** `looper pipeline ls`: lists stages and pipelines. */
import { definitionsText } from '../../../views/pipelines/definitions.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import type { CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  options: [['--json', 'print JSON']],
  examples: [
    ['looper pipeline ls', 'definitions of the project hide built-in ones of the same name'],
    ['looper pipeline ls --json | jq -r ".[] | select(.problem).file"', 'definitions that cannot be run'],
  ],
  async run({ app, out, paint }, _, { json }) {
    const rows = await app.definitions()
    out.write(json === true ? `${jsonText(rows, 2)}\n` : definitionsText(rows, paint))
    return 0
  },
}
