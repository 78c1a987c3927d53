/** `looper status`: where a run stands. */
import { jsonText } from '../../../views/json-text.ts'
import { statusText } from '../../../views/status-text.ts'
import { statusView } from '../../../views/status.ts'
import { runArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  configure: (command) => void command.argument(...runArgument).option('--json', 'for programs'),
  examples: [
    ['looper status', 'the newest run'],
    ['looper status 3', 'run 003'],
    ['looper status --json | jq -r .status', ''],
  ],
  async run({ app, io, out, paint }, [run = null], { json }) {
    const { state, live } = await app.readRun(run)
    out.write(json === true ? `${jsonText(statusView(state, { live }), 2)}\n` : statusText(state, { live, now: io.now(), paint }))
    return 0
  },
}
