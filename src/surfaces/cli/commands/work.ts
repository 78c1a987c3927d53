/** `looper work`: works through the open tasks, each with a fresh agent. */
import type { CommandSpec } from '../command.ts'
import { addConfigFlags } from '../config-flags.ts'
import { addPipelineFlags, walk, type PipelineOptions } from '../pipeline-command.ts'

export const command: CommandSpec<PipelineOptions> = {
  configure(command) {
    command.argument('[session]', 'the name of the session', 'work').argument('[iterations]', 'the most iterations')
    addPipelineFlags(command)
  },
  addSettings: (command, table) => addConfigFlags(command, table, 'pipeline'),
  examples: [
    ['looper work', 'until no task is left'],
    ['looper work auth 25', 'the session "auth", at most 25 iterations'],
    ['looper work auth --resume', 'after a crash'],
  ],
  run: (context, [session = 'work', runs], options) => walk(context, { pipeline: 'work', session, runs }, options),
}
