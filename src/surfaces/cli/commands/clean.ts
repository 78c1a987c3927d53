/** `looper clean`: removes old runs after a confirmation. */
import { cleaningQuestion, cleaningSums, cleaningText } from '../../../views/cleaning.ts'
import { jsonText } from '../../../views/json-text.ts'
import type { CleanRequest } from '../../../api/upkeep.ts'
import type { CommandSpec } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import { span } from '../span.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options {
  keep?: string
  age?: string
  all?: boolean
  turns?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

const defaultKeep = 10

export const command: CommandSpec<Options> = {
  options: [
    ['--keep <n>', `keep the newest runs (${defaultKeep}, when neither this nor --age is given)`],
    ['--age <span>', 'keep runs that ended less than this ago, like 30d, 12h or 2w'],
    ['--all', 'also remove runs that can be resumed, are not applied, or cannot be read'],
    ['--turns', 'remove only the output of agents, of runs that have ended'],
    ['--dry-run', 'show what would happen and stop'],
    ['-y, --yes', 'do not ask'],
    ['--json', 'for programs'],
  ],
  examples: [
    ['looper clean --dry-run', 'shows the disk space of each run, and what would be removed'],
    ['looper clean', `all but the newest ${defaultKeep}; asks first`],
    ['looper clean --age 30d --yes', 'runs that ended more than a month ago'],
    ['looper clean --keep 3 --turns', 'raw output of agents, but for the newest 3 runs'],
  ],
  async run(context, _, options) {
    const { app, out, err, paint } = context
    const { json = false, yes = false } = options
    const { plan, perform } = await app.prepareClean(requestOf(options))
    if (options.dryRun === true) {
      out.write(json ? `${jsonText(plan, 2)}\n` : cleaningText(plan, paint))
      return 0
    }
    const asks = !yes && plan.removed.length > 0
    // Without a terminal the command is refused, so show the plan first.
    if (asks && !canAsk(context)) out.write(json ? `${jsonText(plan, 2)}\n` : cleaningText(plan, paint))
    if (asks && !(await confirm(context, `${cleaningText(plan, paint)}${cleaningQuestion(plan)}`))) {
      err.write('Nothing was removed.\n')
      return 1
    }
    const done = await perform()
    out.write(json ? `${jsonText(done, 2)}\n` : asks ? cleaningSums(done, paint) : cleaningText(done, paint))
    return done.failed.length > 0 ? 1 : 0
  },
}

/** Given both options, a run must be old enough by both to be removed. */
function requestOf({ keep, age, all = false, turns = false }: Options): CleanRequest {
  return {
    keep: keep !== undefined ? wholeNumber('--keep', keep) : age === undefined ? defaultKeep : null,
    age: age === undefined ? null : span('--age', age),
    all,
    turns,
  }
}
