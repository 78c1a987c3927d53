/** `looper logs`: what agents said and did in a run. */
import { runArgument, type CommandSpec } from '../command.ts'
import { lineCount } from '../last-lines.ts'
import { wantedLogTypes } from '../log-types.ts'
import { printLog, type LogOptions } from '../print-log.ts'
import { untilStopped } from '../until-stopped.ts'

export const command: CommandSpec<LogOptions> = {
  arguments: [runArgument],
  options: [
    ['-f, --follow', 'follow new output'],
    ['-n, --lines <n>', 'how many of the last entries; "all" for the whole log (default: "all")'],
    ['--task <task>', 'only this task'],
    ['--type <types>', 'only message, tool_use, command, error, summary; several with commas'],
    ['--json', 'print lines of JSON'],
  ],
  examples: [
    ['looper logs', 'the output of all agents of the newest run'],
    ['looper logs 3 --task T002', 'of one task'],
    ['looper logs -f -n 20', 'the last 20 entries, then new ones'],
    ['looper logs --json --type command | jq -r .command', 'every command that was run'],
  ],
  async run(context, [run = null], { follow = false, lines = 'all', task = null, type, json = false }) {
    const last = lineCount(lines)
    const types = await wantedLogTypes(context.looper, type)
    return untilStopped(context, follow, (signal) =>
      printLog(context, run, { follow, last, task, types, signal }, json),
    )
  },
}
