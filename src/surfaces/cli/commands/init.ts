/** `looper init`: a configuration to start from. */
import { plain } from '../../../views/plain-text.ts'
import type { CommandSpec } from '../command.ts'

export const command: CommandSpec = {
  configure: () => {},
  examples: [['looper init && $EDITOR .looper/config.json', '']],
  async run({ app, out }) {
    const { path, created, notes } = await app.init()
    out.write(`${plain(path)} ${created ? 'written' : 'is there already: left as it is'}\n`)
    for (const note of notes) out.write(`  ${plain(note, 300)}\n`)
    return 0
  },
}
