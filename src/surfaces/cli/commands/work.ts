/** `looper work`: works through the open tasks, each with a fresh agent. */
import type { CommandSpec } from '../command.ts'
import { configOptions } from '../config-options.ts'
import { pipelineOptions, walk, type PipelineOptions } from '../pipeline-command.ts'

export const command: CommandSpec<PipelineOptions> = {
  arguments: [
    ['[session]', 'the name of the session (default: "work")'],
    ['[iterations]', 'the most iterations'],
  ],
  options: pipelineOptions,
  settings: (table) => configOptions(table, 'pipeline'),
  examples: [
    ['looper work', 'until no task is left'],
    ['looper work auth 25', 'the session "auth", at most 25 iterations'],
    ['looper work auth --resume', 'after a crash'],
  ],
  run: (context, [session = 'work', runs], options) => walk(context, { pipeline: 'work', session, runs }, options),
}
