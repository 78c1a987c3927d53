/** `looper ls`: the tasks of a run. */
import { jsonText } from '../../../views/json-text.ts'
import { lsText } from '../../../views/ls.ts'
import { tasksView } from '../../../views/status.ts'
import { runArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  configure: (command) => void command.argument(...runArgument).option('--json', 'for programs'),
  examples: [
    ['looper ls', 'tasks of the newest run'],
    ['looper ls 3 --json | jq -r ".[] | select(.status == \\"failed\\").id"', ''],
  ],
  async run({ app, out, paint }, [run = null], { json }) {
    const { state } = await app.readRun(run)
    out.write(json === true ? `${jsonText(tasksView(state), 2)}\n` : lsText(state, paint))
    return 0
  },
}
