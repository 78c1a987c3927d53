/** `looper ideate`: has agents look for what would be worth doing. */
import type { CommandSpec } from '../command.ts'
import { addPipelineFlags, walk, type PipelineOptions } from '../pipeline-command.ts'

export const command: CommandSpec<PipelineOptions> = {
  configure(command) {
    command.argument('[iterations]', 'how many rounds').argument('[session]', 'the name of the session', 'ideate')
    addPipelineFlags(command, 'passes')
  },
  examples: [
    ['looper ideate', ''],
    ['looper ideate 3 --goal "make start-up faster"', ''],
  ],
  run: (context, [runs, session = 'ideate'], options) =>
    walk(context, { pipeline: 'idea-wizard', session, runs }, options),
}
