/** `looper config get`: prints one setting in effect, for scripts. */
import { jsonText } from '../../../views/text/json-text.ts'
import { plainBlock } from '../../../views/text/plain-text.ts'
import type { CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  arguments: [['<key>', 'a key with dots, like limits.costUsd']],
  options: [['--json', 'print JSON; null when it is not set']],
  examples: [
    ['looper config get parallel', ''],
    ['model=$(looper config get agents.claude.model)', 'empty when it is not set'],
    ['looper config get limits --json | jq .turns', 'a whole group'],
  ],
  async run({ app, out }, [key = ''], { json }) {
    const value = await app.configGet(key)
    if (json === true) out.write(`${jsonText(value, 2)}\n`)
    else if (value !== undefined) out.write(`${typeof value === 'string' ? plainBlock(value) : jsonText(value)}\n`)
    return 0
  },
}
