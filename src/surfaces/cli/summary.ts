/** The summary of a run: how it ended, its evidence, its cost, and what to do next. */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { RunState } from '../../api/nouns.ts'
import { attentionText } from '../../views/status/attention.ts'
import { withErrorWords } from '../../views/facts/error-words.ts'
import { outsideLine } from '../../views/facts/outside-text.ts'
import { duration, plural } from '../../views/text/format.ts'
import { advice, stepRows } from '../../views/status/next-steps.ts'
import type { Paint } from '../../views/text/paint.ts'
import { outputLines } from '../../views/facts/pause-output.ts'
import { plain } from '../../views/text/plain-text.ts'
import {
  costText,
  elapsedMs,
  facts,
  isOlder,
  isUnproven,
  passesText,
  reasonOf,
  skippedText,
  tally,
} from '../../views/facts/progress.ts'
import { shortRuns } from '../../views/text/name-run.ts'
import { namedRows, wrapLines, type Width } from '../../views/text/rows.ts'
import { provenStatus } from '../../views/status/runs.ts'
import type { Finished } from '../../api/runs.ts'
import { widthOf, type CliContext } from './context.ts'
import type { Io } from './io.ts'

type SummaryContext = Pick<CliContext, 'cwd' | 'paint'> & { io: Pick<Io, 'isTTY' | 'columns'> }

export function summary({ state, dir, applied }: Finished, { cwd, paint, io }: SummaryContext): string {
  const width = widthOf(io)
  const { done, total } = tally(state)
  const head: [string, string][] = [
    ['run', paint.strong(state.run)],
    ['state', facts(provenStatus(state, { live: false }, paint), plain(withErrorWords(reasonOf(state) ?? ''), 200))],
  ]
  const rows: [string, string][] = [
    ['passes', passesText(state)],
    ['tasks', total === 0 ? '' : facts(`${done} of ${total} done`, ...others(state))],
    ['proof', facts(evidence(state, paint), passEvidence(state, paint))],
    ['notice', paint.warn(attentionText(state))],
    ['outside', paint.warn(outsideLine(state))],
    ['spent', facts(costText(state), plural(state.turns, 'turn'), duration(elapsedMs(state)))],
    outputPath(dir, cwd),
    ['applied', applied === null ? '' : `${applied.ok ? 'yes' : paint.bad('no')}: ${plain(applied.message, 200)}`],
  ]
  const lines = [...namedRows(head, paint, width), ...output(state, paint), ...namedRows(rows, paint, width), '']
  const text = [...lines, ...steps(state, applied?.ok === true, paint, width)].join('\n')
  return `\n${wrapLines(shortRuns(text), width)}\n`
}

/** The last lines of the check that stopped the run. Each keeps its own line. */
const output = ({ pause }: RunState, paint: Paint): string[] =>
  outputLines(pause).map((line, index) => paint.faint(`${index === 0 ? 'output ' : '       '} ${line}`))

const others = (state: RunState): string[] => [
  ...(['failed', 'blocked', 'doing', 'todo'] as const)
    .filter((status) => state.counts[status] > 0)
    // The run rests: nothing is being done.
    .map((status) => `${state.counts[status]} ${status === 'doing' ? 'started' : status}`),
  skippedText(state),
]

/** Only checks that Looper itself saw pass count. */
function evidence(state: RunState, paint: Paint): string {
  const done = state.order.flatMap((id) => (state.tasks[id]?.status === 'done' ? [state.tasks[id]] : []))
  if (done.length === 0) return ''
  const proven = done.filter((task) => task.evidence.length > 0)
  const named = (isRed: boolean): string =>
    [
      ...new Set(
        proven.flatMap((task) =>
          task.evidence.filter(({ noWorse }) => (noWorse ?? false) === isRed).map(({ check }) => plain(check, 30)),
        ),
      ),
    ].join(', ')
  const [green, red] = [named(false), named(true)]
  const [missing, older] = [done.filter(isUnproven).length, done.filter(isOlder).length]
  return facts(
    green !== '' && `${plural(proven.length, 'task')} verified (${green})`,
    red !== '' && paint.warn(`${red} no worse than before`),
    missing > 0 && paint.warn(`${plural(missing, 'task')} unverified`),
    older > 0 && `${older} done before this run`,
  )
}

/** The landed passes of a loop, and how many of them passed the checks that Looper ran. */
function passEvidence({ loop, config }: RunState, paint: Paint): string {
  if (!loop || loop.landed === 0) return ''
  const missing = loop.landed - loop.verified
  const checks = config.checks.map(({ name }) => plain(name, 30)).join(', ')
  return facts(
    loop.verified > 0 && `${plural(loop.verified, 'pass', 'passes')} verified (${checks})`,
    missing > 0 && paint.warn(`${plural(missing, 'pass', 'passes')} unverified`),
  )
}

/** A paused run may have no report yet, but always has a folder. */
function outputPath(dir: string, cwd: string): [string, string] {
  const report = join(dir, 'report.md')
  return existsSync(report) ? ['report', near(report, cwd)] : ['folder', near(dir, cwd)]
}

const near = (path: string, cwd: string): string => {
  const short = relative(cwd, path)
  return plain(short === '' || short.startsWith('..') ? path : short)
}

function steps(state: RunState, applied: boolean, paint: Paint, width: Width): string[] {
  const { hint, steps: all } = advice(state, { live: false })
  const wanted = all.filter(({ command }) => !applied || !/^looper (?:apply|discard)\b/.test(command))
  return [
    'next',
    ...(hint === null ? [] : [`  ${plain(hint, 200)}`]),
    ...stepRows(wanted, paint, width).map((row) => `  ${row}`),
  ]
}
