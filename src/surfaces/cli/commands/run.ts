/** `looper run`: starts a run toward a goal. */
import type { CommandSpec } from '../command.ts'
import { configFlags } from '../config-flags.ts'
import { configOptions } from '../config-options.ts'
import { readGoal, readPrompt } from '../goal.ts'
import { forceOption, modelOf, modelOption, requestOptions, requestRun, type RequestOptions } from '../request-run.ts'

interface Options extends RequestOptions, Record<string, unknown> {
  model?: string
  goalFile?: string
  promptFile?: string
  /** Internal: the socket from which a detached process reads its request. */
  detachedJob?: string
  apply?: boolean
  force?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [['[goal]', 'the goal; - reads it from stdin']],
  options: [
    ['--goal-file <path>', 'read the goal from a file'],
    modelOption,
    ['--prompt-file <path>', "the prompt for each task of a backlog, instead of Looper's own"],
    ['--detached-job <socket>', '', { hidden: true }],
    forceOption('stop the live run that holds the backlog, then start'),
    ...requestOptions,
  ],
  settings: configOptions,
  examples: [
    ['looper "add a --json flag to the list command"', '"run" can be left out'],
    ['looper run --goal-file goal.md --parallel 2 --cost-usd 5', ''],
    ['looper run --check "npm test" --check "npm run lint" "…"', 'sets the checks that prove the work'],
    ['looper run --dry-run "…"', 'shows agent, checks, limits'],
    ['looper run --workflow backlog', 'works through to-do.json'],
    ['looper run -d "…"', 'in the background; `looper attach` shows it'],
    ['gh issue view 7 | looper run - --json', 'for programs'],
  ],
  async run(context, [argument], options) {
    if (options.detachedJob !== undefined)
      return (await import('../perform-detached-job.ts')).performDetachedJob(context, options.detachedJob)
    const goal = await readGoal(context, argument, options.goalFile)
    const words = options.promptFile === undefined ? {} : { prompt: await readPrompt(context, options.promptFile) }
    const force = options.force === true ? { force: true } : {}
    const flags = await configFlags(context, options)
    const request = { goal, ...words, ...force, ...modelOf(options), flags, apply: options.apply === true }
    return requestRun(context, { do: 'run', request }, options)
  },
}
