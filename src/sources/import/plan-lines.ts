/**
 * The lines of a Markdown document that matter to a plan: headings, check boxes, and what is written below a check box.
 */

export type PlanLine =
  | { kind: 'heading'; line: number; level: number; text: string }
  | { kind: 'box'; line: number; indent: number; mark: string; text: string }
  | { kind: 'text'; line: number; indent: number; text: string }

const tabWidth = 4
/** Nobody writes more on a line of a plan. */
const longestLine = 5_000
const fence = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})/
const heading = /^ {0,3}(#{1,6})\s+(.+?)(?:\s+#+)?\s*$/
const box = /^(\s*)(?:>\s*)?(?:[-*+]|\d{1,9}[.)])\s+\[(.)\](?:\s+(.*))?$/u

/** What stands in code or comments is no plan. */
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
 * Line ends stay, so that lines keep their numbers. Step by step: an expression would look for the end again and again.
 */
function blankComments(text: string): string {
  const kept: string[] = []
  let place = 0
  for (;;) {
    const start = text.indexOf('<!--', place)
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4)
    if (end < 0) return [...kept, text.slice(place)].join('')
    kept.push(text.slice(place, start), text.slice(start, end).replace(/[^\n]/g, ''))
    place = end + 3
  }
}
