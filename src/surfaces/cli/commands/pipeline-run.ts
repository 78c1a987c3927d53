/** `looper pipeline run`: runs a pipeline or a single stage. */
import type { CommandSpec } from '../command.ts'
import { configOptions } from '../config-options.ts'
import { pipelineOptions, walk, type PipelineOptions } from '../pipeline-command.ts'

/** The default session name: the file name without folder and extension. */
const nameOf = (pipeline: string): string =>
  pipeline
    .replace(/^.*\//, '')
    .replace(/\.ya?ml$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')

export const command: CommandSpec<PipelineOptions> = {
  arguments: [
    ['<pipeline>', 'a pipeline or stage that `looper pipeline ls` shows, or the path of a file'],
    ['[session]', 'the name of the session (default: that of the pipeline)'],
    ['[iterations]', 'iterations of each stage, instead of those defined'],
  ],
  options: pipelineOptions,
  settings: (table) => configOptions(table, 'pipeline'),
  examples: [
    ['looper pipeline run full-refine', ''],
    ['looper pipeline run improve-plan auth 10', 'one stage, in the session "auth"'],
    ['looper pipeline run ./release.yaml', ''],
  ],
  run: (context, [pipeline = '', session, runs], options) =>
    walk(context, { pipeline, session: session ?? nameOf(pipeline), runs }, options),
}
