/** `looper pipeline run`: walks a pipeline, or a stage by itself. */
import type { CommandSpec } from '../command.ts'
import { addPipelineFlags, walk, type PipelineOptions } from '../pipeline-command.ts'

/** A file is known by its name without folder and ending. */
const nameOf = (pipeline: string): string =>
  pipeline
    .replace(/^.*\//, '')
    .replace(/\.ya?ml$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')

export const command: CommandSpec<PipelineOptions> = {
  configure(command) {
    command
      .argument('<pipeline>', 'a pipeline or stage that `looper pipeline ls` shows, or the path of a file')
      .argument('[session]', 'the name of the session (default: that of the pipeline)')
      .argument('[iterations]', 'for each stage, instead of what it says')
    addPipelineFlags(command)
  },
  examples: [
    ['looper pipeline run full-refine', ''],
    ['looper pipeline run improve-plan auth 10', 'one stage, in the session "auth"'],
    ['looper pipeline run ./release.yaml', ''],
  ],
  run: (context, [pipeline = '', session, runs], options) =>
    walk(context, { pipeline, session: session ?? nameOf(pipeline), runs }, options),
}
