/** `looper stats` for people: totals first, then the results per agent and kind of task, then failures. */
import { columns, cut, pad } from '../text/columns.ts'
import { count, duration, money, plural } from '../text/format.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { facts } from '../facts/progress.ts'
import type { Counts, Stats, TaskGroup, Worker } from './stats.ts'

const width = 80

export function statsText(stats: Stats, paint: Paint = noPaint): string {
  const blocks = [
    head(stats, paint),
    stats.agents.length === 0
      ? []
      : table(
          ['agent', ...workerTitles],
          stats.agents.map((worker) => [worker.agent, ...workerCells(worker)]),
          paint,
        ),
    stats.models.every(({ model }) => model === null)
      ? []
      : table(
          ['model', ...workerTitles],
          stats.models.map((worker) => [modelName(worker), ...workerCells(worker)]),
          paint,
        ),
    stats.byType.every(({ type }) => type === null)
      ? []
      : table(
          ['type of task', ...groupTitles],
          stats.byType.map((group) => [group.type ?? '(none)', ...groupCells(group)]),
          paint,
        ),
    stats.byComplexity.length === 0
      ? []
      : table(
          ['complexity', ...groupTitles],
          stats.byComplexity.map((group) => [group.complexity, ...groupCells(group)]),
          paint,
        ),
    wrong(stats, paint),
    stats.unreadable.map(({ run, why }) => {
      const short = plain(why.replace(/^\S*events\.jsonl /, 'its journal '))
      return `${paint.warn('!')} ${cut(`${plain(run)} cannot be read: ${short}`, width - 2)}`
    }),
  ]
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function head({ runs, byStatus, turns, averageTurnMs, usage, time, tasks }: Stats, paint: Paint): string[] {
  const tokens = usage.inputTokens + usage.outputTokens > 0
  const rows: [string, string][] = [
    ['runs', facts(paint.strong(String(runs)), ...spread(byStatus))],
    ['tasks', facts(...spread(tasks))],
    ['turns', turns === 0 ? '' : facts(String(turns), averageTurnMs !== null && `${duration(averageTurnMs)} each`)],
    [
      'spent',
      facts(
        usage.costUsd > 0 && money(usage.costUsd),
        tokens && `${count(usage.inputTokens)} tokens in, ${count(usage.outputTokens)} out`,
      ),
    ],
    ['time', facts(`${duration(time.runningMs)} running`, time.waitingMs > 0 && `${duration(time.waitingMs)} waiting`)],
  ]
  return rows.filter(([, value]) => value !== '').map(([name, value]) => `${paint.faint(pad(name, 6))} ${value}`)
}

const spread = (counts: Counts): string[] => Object.entries(counts).map(([name, n]) => `${n} ${name}`)

const workerTitles = ['attempts', 'done', 'first try', 'turns', 'each', 'spent']

const workerCells = ({ attempts, done, firstTry, turns, averageTurnMs, usage }: Worker): string[] => [
  String(attempts),
  String(done),
  share(firstTry, done),
  String(turns),
  averageTurnMs === null ? '–' : duration(averageTurnMs),
  usage.costUsd > 0 ? money(usage.costUsd) : count(usage.inputTokens + usage.outputTokens),
]

const modelName = ({ agent, model }: Worker): string => `${agent} ${model ?? '(its choice)'}`

const groupTitles = ['tasks', 'done', 'first try', 'failed', 'attempts']

const groupCells = ({ tasks, done, firstTry, failed, attempts }: TaskGroup): string[] => [
  String(tasks),
  String(done),
  share(firstTry, done),
  String(failed),
  String(attempts),
]

/** "3 (75%)" */
const share = (part: number, whole: number): string =>
  whole === 0 ? String(part) : `${part} (${Math.round((100 * part) / whole)}%)`

/** Aligns names left and numbers right. */
function table(titles: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string[] {
  const all = [titles, ...rows]
  const widths = titles.map((_, column) =>
    column === 0 ? 0 : Math.max(...all.map((row) => columns(row[column] ?? ''))),
  )
  const room = width - widths.reduce((total, each) => total + each + 2, -2)
  const names = all.map(([name = '']) => plain(name, room))
  const longest = Math.max(...names.map(columns))
  return all.map(([, ...cells], index) => {
    const numbers = cells.map((cell, column) => `  ${' '.repeat((widths[column + 1] ?? 0) - columns(cell))}${cell}`)
    const line = pad(names[index] ?? '', longest) + numbers.join('')
    return index === 0 ? paint.faint(line) : line
  })
}

const mostNames = 6

function wrong({ failures }: Stats, paint: Paint): string[] {
  const { agentErrors, invalidAnswers, checks, verdicts, conflicts, attempts, environment } = failures
  const rows: [string, Counts][] = [
    ['red checks', checks],
    ['rejected', verdicts],
    ['agents', { ...agentErrors, ...(invalidAnswers > 0 ? { 'invalid answer': invalidAnswers } : {}) }],
    ['merges', conflicts > 0 ? { conflict: conflicts } : {}],
    ['machine', environment],
    ['attempts', attempts],
  ]
  const lines = rows
    .filter(([, counts]) => Object.keys(counts).length > 0)
    .map(([name, counts]) => `  ${pad(name, 10)}  ${cut(countsText(counts), width - 14)}`)
  return lines.length === 0 ? [] : [paint.faint('what went wrong'), ...lines]
}

function countsText(counts: Counts): string {
  const entries = Object.entries(counts)
  const rest = entries.length - mostNames
  return facts(
    ...entries.slice(0, mostNames).map(([name, n]) => `${plain(name, 30)} ${n}`),
    rest > 0 && plural(rest, 'other'),
  )
}
