/** `looper init`: writes an initial configuration. */
import { align } from '../../../views/text/columns.ts'
import { plain } from '../../../views/text/plain-text.ts'
import type { CommandSpec } from '../command.ts'
import { say } from '../say.ts'

const next = [
  ['looper doctor', 'shows what is missing'],
  ['looper run "<goal>" --dry-run', 'shows what a run would do'],
] as const

export const command: CommandSpec = {
  examples: [['looper init && $EDITOR .looper/config.json', '']],
  async run(context) {
    const { app, out, err, paint } = context
    const { path, created, notes, problem } = await app.init()
    out.write(`${plain(path)} ${created ? 'written' : 'already exists: not changed'}\n`)
    for (const note of notes) say(context, plain(note, 300), 2)
    if (problem !== null) {
      err.write(`looper: ${plain(problem.message)}\n  ${plain(problem.hint)}\n`)
      return 2
    }
    if (created)
      out.write(`\nnext\n${align(next.map(([line, what]) => [`  ${line}`, paint.faint(what)])).join('\n')}\n`)
    return 0
  },
}
