/** The output of `looper replay`: no differences, or the first ones, each with both sides. */
import { firstLines } from '../../model/and-more.ts'
import type { Fact } from '../../model/event.ts'
import { cut } from '../text/columns.ts'
import { clock, plural } from '../text/format.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'

export interface Difference {
  /** The recorded event at which the difference appears. */
  seq: number
  at: string
  /** The subject: a task, `plan`, `gate`, `report`, `limit` or `run`. */
  subject: string
  /** The fact in the journal, and the fact that the current code produces; null when there is none. */
  journal: Fact | null
  today: Fact | null
}

export interface Replayed {
  /** Number of equal decisions. */
  same: number
  differences: Difference[]
  /** Number of decisions that depend on a different one and cannot be compared. */
  skipped: number
  /** There were too many differences, so the rest was not compared. */
  stopped: boolean
}

export interface RecordedObject {
  id: string
  /** The first event that names it. */
  seq: number
}

export interface ReplayReport extends Replayed {
  run: string
  /** The recorded trees and commits, and those that git no longer has; null when not requested. */
  files: { recorded: number; gone: RecordedObject[] } | null
}

const mostShown = 10
const mostGone = 5
const width = 78

export function replayText(report: ReplayReport, paint: Paint = noPaint): string {
  const { differences, stopped } = report
  const hidden = differences.length - mostShown
  const lines = [
    verdict(report, paint),
    ...differences.slice(0, mostShown).flatMap((difference) => ['', ...placeLines(difference, paint)]),
    ...(hidden > 0
      ? ['', paint.faint(`and ${hidden} more${stopped ? ', then the replay stopped' : ''}; --json has them all`)]
      : []),
    ...filesLines(report, paint),
  ]
  return `${lines.join('\n')}\n`
}

function verdict({ run, same, differences, skipped, stopped }: ReplayReport, paint: Paint): string {
  const total = plural(same + differences.length, 'decision')
  if (differences.length === 0) return `${paint.good('✓')} ${plain(run)}: ${total}, none differs`
  const rest = skipped > 0 ? `; ${skipped} that follow from these were not compared` : ''
  const differ = differences.length === 1 ? 'differs' : 'differ'
  const all = stopped ? `the first ${total}` : total
  return `${paint.bad('✗')} ${plain(run)}: ${differences.length} of ${all} ${differ}${rest}`
}

function placeLines({ seq, at, subject, journal, today }: Difference, paint: Paint): string[] {
  const [before, now] = sides(journal, today)
  return [
    `${paint.strong(`event ${seq}`)} ${paint.faint(`${plain(subject, 30)} · ${clock(at)}`)}`,
    `  journal  ${cut(before, width - 11)}`,
    `  today    ${cut(now, width - 11)}`,
  ]
}

/** For two facts of one kind, only the fields that differ. */
function sides(journal: Fact | null, today: Fact | null): [string, string] {
  if (journal === null || today === null || nameOf(journal) !== nameOf(today))
    return [factText(journal), factText(today)]
  const [before, now] = [leavesOf(journal), leavesOf(today)]
  const differing = [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== now.get(path))
  const side = (leaves: ReadonlyMap<string, string>): string =>
    `${plain(nameOf(journal))}  ${differing.map((path) => `${path} ${leaves.get(path) ?? '(none)'}`).join(', ')}`
  return [side(before), side(now)]
}

function factText(fact: Fact | null): string {
  if (fact === null) return 'nothing'
  const leaves = [...leavesOf(fact)].filter(([path]) => path !== 'work.id').map(([path, value]) => `${path} ${value}`)
  return `${plain(nameOf(fact))}  ${leaves.join(', ')}`.trimEnd()
}

/** Every value by its dotted path, as text that is safe to print. */
function leavesOf({ type: _type, ...rest }: Fact): Map<string, string> {
  const leaves = new Map<string, string>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return void leaves.set(path, plain(String(value), 60))
    for (const [name, member] of Object.entries(value)) walk(member, path === '' ? name : `${path}.${name}`)
  }
  walk(rest, '')
  return leaves
}

function filesLines({ files }: ReplayReport, paint: Paint): string[] {
  if (files === null) return []
  const { recorded, gone } = files
  const total = plural(recorded, 'recorded tree or commit', 'recorded trees and commits')
  if (gone.length === 0) return ['', `${paint.good('✓')} ${total}, all in git`]
  const lines = gone.map(({ id, seq }) => `${id.slice(0, 12)} ${paint.faint(`of event ${seq}`)}`)
  return [
    '',
    `${paint.bad('✗')} ${gone.length} of ${total} ${gone.length === 1 ? 'is' : 'are'} gone from git`,
    ...firstLines(lines, mostGone).map((line) => `  ${line}`),
  ]
}

/** Its type and, for work, the work id. */
export const nameOf = (fact: Fact): string =>
  fact.type === 'work.started' ? `${fact.type} ${fact.work.id}` : fact.type
