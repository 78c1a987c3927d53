/** `looper runs`: lists the runs of this repository. */
import { jsonText } from '../../../views/text/json-text.ts'
import { runsText } from '../../../views/status/runs.ts'
import type { CommandSpec } from '../command.ts'
import { widthOf } from '../context.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  options: [['--json', 'print JSON']],
  examples: [
    ['looper runs', ''],
    ['looper runs --json | jq -r ".[].id"', ''],
  ],
  async run({ app, io, out, paint }, _, { json }) {
    const rows = await app.listRuns()
    out.write(
      json === true
        ? `${jsonText(rows, 2)}\n`
        : runsText(rows, { now: io.now(), width: widthOf(io), zone: io.zone, paint }),
    )
    return 0
  },
}
