/**
 * Measures the tamper guard and reverse proof.
 *   npm run bench:guard                                   every cheat of bench/guard/cheats
 *   npm run bench:guard -- --only pytest                  those whose name has this part
 *   npm run bench:guard -- --history <git dir> --check <command> [--link node_modules=<folder>] [--last 100]
 *                                                         honest commits of a history; without --check nothing is run
 *     --estimate   run nothing: the guard and the classification alone
 *     --keep <folder>  keep results of checks there, and read them instead of running the same again
 *     --flagged    run only commits that the guard sees something in, and those that change settings alone or add
 *                  files that can affect other tests
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

await import('../../scripts/strip-types.js')
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    history: { type: 'string', multiple: true },
    check: { type: 'string', multiple: true },
    link: { type: 'string' },
    last: { type: 'string', default: '100' },
    verbose: { type: 'boolean', default: false },
    estimate: { type: 'boolean', default: false },
    flagged: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'guard-bench-')))
try {
  if (options.history === undefined)
    await (await import('./report-cheats.ts')).reportCheats(options.only, scratch, options.verbose)
  else
    await (
      await import('./report-history.ts')
    ).reportHistories({ ...options, history: options.history, scratch, last: Number(options.last) })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
