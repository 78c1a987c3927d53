/** `looper version`. */
import type { CommandSpec } from '../command.ts'

export const command: CommandSpec = {
  configure: () => {},
  examples: [
    ['looper version', ''],
    ['looper --version', 'the same'],
  ],
  async run({ app, out }) {
    out.write(`${app.version}\n`)
    return 0
  },
}
