/** `looper version`: prints the version. */
import type { CommandSpec } from '../command.ts'

export const command: CommandSpec = {
  examples: [
    ['looper version', ''],
    ['looper --version', 'the same'],
  ],
  async run({ looper, out }) {
    out.write(`${looper.version}\n`)
    return 0
  },
}
