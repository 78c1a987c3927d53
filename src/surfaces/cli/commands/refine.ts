/** `looper refine`: improves plan and tasks in several passes, until another pass would gain nothing. */
import { LooperError } from '../../../api/error.ts'
import type { CommandSpec } from '../command.ts'
import { configOptions } from '../config-options.ts'
import { pipelineOptions, walk, type PipelineOptions } from '../pipeline-command.ts'

export const depths = ['quick', 'full', 'deep']

export const command: CommandSpec<PipelineOptions> = {
  arguments: [
    ['[depth]', 'quick (3+3 iterations), full (5+5) or deep (8+8) (default: "full")'],
    ['[session]', 'the name of the session (default: "refine")'],
  ],
  options: pipelineOptions,
  settings: (table) => configOptions(table, 'passes'),
  examples: [
    ['looper refine', '5 iterations on the plan, 5 on the tasks, fewer when two agents agree'],
    ['looper refine deep auth', ''],
  ],
  run(context, [depth = 'full', session = 'refine'], options) {
    if (!depths.includes(depth)) {
      throw new LooperError('USAGE_ARGUMENTS', `there is no depth ${JSON.stringify(depth)}`, {
        hint: `Use ${depths.join(', ')}.`,
      })
    }
    return walk(context, { pipeline: `${depth}-refine`, session, runs: undefined }, options)
  },
}
