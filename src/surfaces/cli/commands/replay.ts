/** `looper replay`: checks whether the current Looper would decide a recorded run the same way. */
import { replayText } from '../../../views/history/replay-text.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean; files?: boolean }> = {
  arguments: [runArgument],
  options: [
    ['--files', 'also check that git still has the recorded trees and commits'],
    ['--json', 'print JSON'],
  ],
  examples: [
    ['looper replay', 'replays the newest run, without a model'],
    ['looper replay 3 --files', 'run 003, with its trees and commits'],
    ['looper replay 3 --json | jq .differences', ''],
  ],
  async run({ app, out, paint }, [run = null], { json, files }) {
    const report = await app.replay(run, { files: files === true })
    out.write(json === true ? `${jsonText(report, 2)}\n` : replayText(report, paint))
    return report.differences.length > 0 || (report.files?.gone.length ?? 0) > 0 ? 1 : 0
  },
}
