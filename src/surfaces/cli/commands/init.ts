/** `looper init`: writes an initial configuration. */
import { align } from '../../../views/columns.ts'
import { plain } from '../../../views/plain-text.ts'
import type { CommandSpec } from '../command.ts'

const next = [
  ['looper doctor', 'shows what is missing'],
  ['looper run "<goal>" --dry-run', 'shows what a run would do'],
] as const

export const command: CommandSpec = {
  examples: [['looper init && $EDITOR .looper/config.json', '']],
  async run({ app, out, paint }) {
    const { path, created, notes } = await app.init()
    out.write(`${plain(path)} ${created ? 'written' : 'already exists: not changed'}\n`)
    for (const note of notes) out.write(`  ${plain(note, 300)}\n`)
    if (created)
      out.write(`\nnext\n${align(next.map(([line, what]) => [`  ${line}`, paint.faint(what)])).join('\n')}\n`)
    return 0
  },
}
