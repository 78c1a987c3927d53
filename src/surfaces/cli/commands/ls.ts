/** `looper ls`: lists the tasks of the backlog or of a run. */
import { LooperError } from '../../../api/error.ts'
import { backlogStatuses, backlogText, sortBacklog } from '../../../views/status/backlog.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import { lsText } from '../../../views/status/ls.ts'
import { taskStatuses } from '../../../views/facts/progress.ts'
import { tasksView } from '../../../views/status/status.ts'
import type { CommandSpec } from '../command.ts'

interface Options {
  json?: boolean
  status?: string
  backlog?: string
}

export const command: CommandSpec<Options> = {
  arguments: [
    ['[run]', 'number, id or part of the id of a run (default: the backlog, or the newest run when there is none)'],
  ],
  options: [
    [
      '--status <status>',
      `only tasks with this status: ${backlogStatuses.join(', ')}, and of a run also failed, split`,
    ],
    ['--backlog <file>', 'use another backlog file'],
    ['--json', 'print JSON'],
  ],
  examples: [
    ['looper ls', 'the backlog, or the tasks of the newest run'],
    ['looper ls --status blocked', ''],
    ['looper ls 3 --json | jq -r ".[] | select(.status == \\"failed\\").id"', ''],
  ],
  async run({ app, out, paint }, [run = null], { json, status = null, backlog: file = null }) {
    const backlog = run === null ? await app.backlog(file) : null
    if (backlog !== null) {
      const tasks = sortBacklog(backlog, chosen(status, backlogStatuses))
      out.write(json === true ? `${jsonText(tasks, 2)}\n` : backlogText(tasks, paint))
      return 0
    }
    const { state, live } = await app.readRun(run)
    const only = chosen(status, taskStatuses)
    const tasks = tasksView(state).filter((task) => only === null || task.status === only)
    out.write(json === true ? `${jsonText(tasks, 2)}\n` : lsText(state, paint, { live, only }))
    return 0
  },
}

/** Throws USAGE_ARGUMENTS for an unknown status. */
function chosen<S extends string>(word: string | null, statuses: readonly S[]): S | null {
  if (word === null) return null
  const status = statuses.find((each) => each === word)
  if (status === undefined)
    throw new LooperError('USAGE_ARGUMENTS', `--status takes one of ${statuses.join(', ')}, not '${word}'`)
  return status
}
