/** The progress file of a loop, which every fresh agent reads. Its size is limited, because every pass reads it. */
import { mostInFull } from '../../model/loop.ts'
import type { ProgressEntry, RunState } from '../../model/state.ts'
import { plural } from '../text/format.ts'
import { mdLine } from '../text/markdown.ts'
import { plainBlock } from '../text/plain-text.ts'
import { facts } from '../facts/progress.ts'

/** Maximum number of older passes with one line each, before those in full. */
const mostLines = 100

export function loopProgress(state: RunState): string {
  const { loop, goal, session, run } = state
  if (!loop) return ''
  const { entries, patterns } = loop
  const full = entries.slice(-mostInFull)
  const lines = entries.slice(-(mostInFull + mostLines), -mostInFull)
  const left = entries.length - full.length - lines.length
  return [
    `# Progress of ${mdLine(session ?? run, 80)}`,
    mdLine(goal, 500),
    '## Codebase patterns',
    patterns.length === 0 ? 'None are known yet.' : patterns.map((pattern) => `- ${mdLine(pattern, 300)}`).join('\n'),
    '## Iterations',
    entries.length === 0 ? 'None so far.' : '',
    left > 0 ? `(${plural(left, 'earlier iteration')} left out)` : '',
    lines.map((entry) => `- ${head(entry)}: ${mdLine(entry.summary, 200)}`).join('\n'),
    ...full.map((entry) =>
      [`### ${head(entry)}`, plainBlock(entry.summary), entry.notes === null ? '' : plainBlock(entry.notes)]
        .filter(Boolean)
        .join('\n\n'),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')
}

const head = ({ name, iteration, status, changed }: ProgressEntry): string =>
  facts(`${mdLine(name, 60)} ${iteration}`, status !== 'done' && status, changed > 0 && plural(changed, 'file'))

/** The text that the agent added to the file it was given; null when there is none. */
export function writtenInto(given: string, found: string | null): string | null {
  if (found === null || found === given) return null
  const added = found.startsWith(given) ? found.slice(given.length) : withoutLinesOf(given, found)
  return added.trim() === '' ? null : added.trim().slice(0, mostNotes)
}

const mostNotes = 8_000

function withoutLinesOf(given: string, found: string): string {
  const known = new Set(given.split('\n'))
  return found
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n')
}
