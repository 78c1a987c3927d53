/** `looper status`: shows the state of a run. */
import { jsonText } from '../../../views/text/json-text.ts'
import { statusText } from '../../../views/status/status-text.ts'
import { statusView } from '../../../views/status/status.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { widthOf } from '../context.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  arguments: [runArgument],
  options: [['--json', 'print JSON']],
  examples: [
    ['looper status', 'the newest run'],
    ['looper status 3', 'run 003'],
    ['looper status auth', 'the newest run of the session "auth"'],
    ['looper status --json | jq -r .status', ''],
  ],
  async run({ app, io, out, paint }, [run = null], { json }) {
    const { state, live, holder, left = null } = await app.readRun(run)
    if (json === true) out.write(`${jsonText(statusView(state, { live, holder, left }), 2)}\n`)
    else out.write(statusText(state, { live, holder, left, now: io.now(), zone: io.zone, width: widthOf(io), paint }))
    return 0
  },
}
