/** `looper ideate`: lets agents propose improvements. */
import type { CommandSpec } from '../command.ts'
import { addConfigFlags } from '../config-flags.ts'
import { addPipelineFlags, walk, type PipelineOptions } from '../pipeline-command.ts'

export const command: CommandSpec<PipelineOptions> = {
  configure(command) {
    command.argument('[iterations]', 'how many rounds').argument('[session]', 'the name of the session', 'ideate')
    addPipelineFlags(command)
  },
  addSettings: (command, table) => addConfigFlags(command, table, 'passes'),
  examples: [
    ['looper ideate', ''],
    ['looper ideate 3 --goal "make start-up faster"', ''],
  ],
  run: (context, [runs, session = 'ideate'], options) =>
    walk(context, { pipeline: 'idea-wizard', session, runs }, options),
}
