/** Finds the lines of a Markdown plan that matter: headings, check boxes and the text below a check box. */

export type PlanLine =
  | { kind: 'heading'; line: number; level: number; text: string }
  | { kind: 'box'; line: number; indent: number; mark: string; text: string }
  | { kind: 'text'; line: number; indent: number; text: string }

const tabWidth = 4
/** Longer lines are cut; lines of real plans are shorter. */
const longestLine = 5_000
const fence = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})/
const heading = /^ {0,3}(#{1,6})\s+(.+?)(?:\s+#+)?\s*$/
const box = /^(\s*)(?:>\s*)?(?:[-*+]|\d{1,9}[.)])\s+\[(.)\](?:\s+(.*))?$/u

/** Code blocks and comments are not part of the plan. */
export function planLines(text: string): PlanLine[] {
  const lines: PlanLine[] = []
  let fencedBy: string | null = null
  for (const [index, whole] of blankComments(text).split(/\r?\n/).entries()) {
    const [line, raw] = [index + 1, whole.slice(0, longestLine)]
    const fenced = fence.exec(raw)?.[1]
    if (fencedBy !== null) {
      if (fenced?.startsWith(fencedBy) && raw.trim() === fenced) fencedBy = null
      continue
    }
    if (fenced !== undefined) fencedBy = fenced
    else lines.push(...lineOf(raw, line))
  }
  return lines
}

function lineOf(raw: string, line: number): PlanLine[] {
  const [, marks = '', title] = heading.exec(raw) ?? []
  if (title !== undefined) return [{ kind: 'heading', line, level: marks.length, text: title.trim() }]
  const [, space = '', mark, text = ''] = box.exec(raw) ?? []
  if (mark !== undefined) return [{ kind: 'box', line, indent: widthOf(space), mark, text: text.trim() }]
  return raw.trim() === ''
    ? []
    : [{ kind: 'text', line, indent: widthOf(/^\s*/.exec(raw)?.[0] ?? ''), text: raw.trim() }]
}

const widthOf = (space: string): number =>
  Array.from(space).reduce((width, character) => width + (character === '\t' ? tabWidth - (width % tabWidth) : 1), 0)

/**
 * Removes comments but keeps their line ends, so that line numbers stay right. It scans with indexOf because a regular
 * expression would search for the end of every unclosed comment again.
 */
function blankComments(text: string): string {
  const kept: string[] = []
  let position = 0
  for (;;) {
    const start = text.indexOf('<!--', position)
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4)
    if (end < 0) return [...kept, text.slice(position)].join('')
    kept.push(text.slice(position, start), text.slice(start, end).replace(/[^\n]/g, ''))
    position = end + 3
  }
}
