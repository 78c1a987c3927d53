/** `looper validate`: is the backlog one that a run can work on? */
import { plural } from '../../../views/format.ts'
import { jsonText } from '../../../views/json-text.ts'
import { plain } from '../../../views/plain-text.ts'
import type { ValidatedBacklog } from '../app.ts'
import { backlogArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  configure: (command) => void command.argument(...backlogArgument).option('--json', 'for programs'),
  examples: [['looper validate', 'exit 0, or 2 with every problem and its place'], ['looper validate work/tasks.json --json', '']],
  async run({ app, out }, [file = null], { json }) {
    const found = await app.validateBacklog(file)
    out.write(json === true ? `${jsonText(found.problems, 2)}\n` : textOf(found))
    return found.problems.length === 0 ? 0 : 2
  },
}

function textOf({ file, tasks, problems, complete }: ValidatedBacklog): string {
  if (problems.length === 0) return `${plain(file)} is valid: ${plural(tasks, 'task')}\n`
  const lines = problems.map(({ line, column, message }) => `${plain(file)}:${line}:${column}: ${plain(message, 400)}`)
  return `${lines.join('\n')}\n\n${plural(problems.length, 'problem')}${complete ? '' : ', perhaps more'}\n`
}
