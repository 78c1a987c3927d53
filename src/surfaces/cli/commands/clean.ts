/** `looper clean`: removes old runs after a confirmation. */
import { LooperError } from '../../../api/error.ts'
import { cacheQuestion, cacheText } from '../../../views/history/cache-cleaning.ts'
import { cleaningQuestion, cleaningSums, cleaningText } from '../../../views/history/cleaning.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import type { CleanRequest } from '../../../api/upkeep.ts'
import type { CliContext } from '../context.ts'
import type { CommandSpec } from '../command.ts'
import { canAsk } from '../ask.ts'
import { confirm } from '../confirm.ts'
import { span } from '../span.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options {
  keep?: string
  age?: string
  all?: boolean
  turns?: boolean
  cache?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

const defaultKeep = 10

export const command: CommandSpec<Options> = {
  options: [
    ['--keep <n>', `keep the newest runs (${defaultKeep}, when neither this nor --age is given)`],
    ['--age <span>', 'keep runs that ended less than this ago, like 30d, 12h or 2w'],
    [
      '--all',
      'also remove runs that can be resumed, are not applied, or cannot be read; '
        + `the newest ${defaultKeep} stay unless --keep or --age is given`,
    ],
    ['--turns', 'remove only the output of agents, of runs that have ended'],
    ['--cache', 'remove only the stored products of set-up, of all checkouts'],
    ['--dry-run', 'show what would happen and stop'],
    ['-y, --yes', 'do not ask'],
    ['--json', 'print JSON'],
  ],
  examples: [
    ['looper clean --dry-run', 'shows the disk space of each run, and what would be removed'],
    ['looper clean', `all but the newest ${defaultKeep}; asks first`],
    ['looper clean --all --keep 0', 'every run that is not under way'],
    ['looper clean --age 30d --yes', 'runs that ended more than a month ago'],
    ['looper clean --keep 3 --turns', 'raw output of agents, but for the newest 3 runs'],
    ['looper clean --cache --yes', 'set-up runs again in the next run'],
  ],
  async run(context, _, options) {
    if (options.cache === true) return cleanCache(context, options)
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

async function cleanCache(context: CliContext, options: Options): Promise<number> {
  const { keep, age, all, turns, json = false, yes = false, dryRun = false } = options
  if (keep !== undefined || age !== undefined || all === true || turns === true) {
    throw new LooperError('USAGE_ARGUMENTS', '--cache is for stored set-ups, the other options choose runs', {
      hint: 'looper clean --cache',
    })
  }
  const { app, out, err, paint } = context
  const { plan, perform } = await app.prepareCacheClean()
  const asks = !dryRun && !yes && plan.removed.length > 0
  const show = (cleaning: typeof plan): void =>
    out.write(json ? `${jsonText(cleaning, 2)}\n` : cacheText(cleaning, paint))
  if (dryRun || (asks && !canAsk(context))) show(plan)
  if (dryRun) return 0
  if (asks && !(await confirm(context, `${cacheText(plan, paint)}${cacheQuestion(plan)}`))) {
    err.write('Nothing was removed.\n')
    return 1
  }
  show(await perform())
  return 0
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
