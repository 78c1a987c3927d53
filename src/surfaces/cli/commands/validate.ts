/** `looper validate`: checks that the backlog is valid for a run. */
import { plural } from '../../../views/text/format.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import { plain } from '../../../views/text/plain-text.ts'
import type { BacklogProblem, ValidatedBacklog } from '../../../api/backlog.ts'
import { backlogArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  arguments: [backlogArgument],
  options: [['--json', 'print JSON']],
  examples: [
    ['looper validate', 'exit 0, or 2 with every problem and its place'],
    ['looper validate work/tasks.json --json', ''],
  ],
  async run({ app, out, err, paint }, [file = null], { json }) {
    const found = await app.validateBacklog(file)
    for (const warning of found.warnings) err.write(`${paint.warn('!')} ${lineOf(found, warning)}\n`)
    out.write(json === true ? `${jsonText(found.problems, 2)}\n` : textOf(found))
    return found.problems.length === 0 ? 0 : 2
  },
}

const lineOf = ({ file }: Pick<ValidatedBacklog, 'file'>, { line, column, message }: BacklogProblem): string =>
  `${plain(file)}:${line}:${column}: ${plain(message, 400)}`

function textOf({ file, tasks, problems, complete }: ValidatedBacklog): string {
  if (problems.length === 0) return `${plain(file)} is valid: ${plural(tasks, 'task')}\n`
  const lines = problems.map((problem) => lineOf({ file }, problem))
  return `${lines.join('\n')}\n\n${plural(problems.length, 'problem')}${complete ? '' : ', perhaps more'}\n`
}
