/** `looper run`: starts toward a goal. */
import type { CommandSpec } from '../command.ts'
import { addConfigFlags, configFlags } from '../config-flags.ts'
import { readGoal } from '../goal.ts'
import { performRun, type PerformOptions } from '../perform-run.ts'

interface Options extends PerformOptions, Record<string, unknown> {
  goalFile?: string
  apply?: boolean
}

export const command: CommandSpec<Options> = {
  configure(command) {
    command
      .argument('[goal]', 'what you want; - reads it from stdin')
      .option('--goal-file <path>', 'read the goal from a file')
      .option('--dry-run', 'show what would happen and stop')
      .option('--apply', 'bring the changes into your branch when the run completes')
      .option('--json', 'print each event as a line of JSON')
      .option('-q, --quiet', 'print nothing but the summary')
    addConfigFlags(command)
  },
  examples: [
    ['looper "add a --json flag to the list command"', '"run" can be left out'],
    ['looper run --goal-file goal.md --parallel 2 --cost-usd 5', ''],
    ['looper run --check "npm test" --check "npm run lint" "…"', 'says what proves the work'],
    ['looper run --dry-run "…"', 'shows agent, checks, limits'],
    ['gh issue view 7 | looper run - --json', 'for programs'],
  ],
  async run(context, [argument], options) {
    const goal = await readGoal(context, argument, options.goalFile)
    const prepared = await context.app.prepareRun({ goal, flags: configFlags(options), apply: options.apply === true })
    return performRun(context, prepared, options)
  },
}
