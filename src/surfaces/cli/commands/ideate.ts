/** `looper ideate`: lets agents propose improvements. */
import type { CommandSpec } from '../command.ts'
import { configOptions } from '../config-options.ts'
import { pipelineOptions, walk, type PipelineOptions } from '../pipeline-command.ts'

export const command: CommandSpec<PipelineOptions> = {
  arguments: [
    ['[iterations]', 'how many rounds'],
    ['[session]', 'the name of the session (default: "ideate")'],
  ],
  options: pipelineOptions,
  settings: (table) => configOptions(table, 'passes'),
  examples: [
    ['looper ideate', ''],
    ['looper ideate 3 --goal "make start-up faster"', ''],
  ],
  run: (context, [runs, session = 'ideate'], options) =>
    walk(context, { pipeline: 'idea-wizard', session, runs }, options),
}
