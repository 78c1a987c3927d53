/**
 * Turns the plan.md of a run into a plan as people write one: notes behind a title become lines below it. A task that
 * was split is left out: its parts are its work, and what waited for it waits for them.
 */

const firstLine = /^\uFEFF?Status: \w+ · \d+\/\d+ done/
const note = String.raw`(?:\*\*\w+\*\* · |done before this run · )*(?:simple|medium|complex)(?: · .*)?`
const task = new RegExp(String.raw`^(\s*)- \[(.)\] (\*\*[^\s*]+\*\*) (.*) \((${note})\)$`)
const criterion = /^(\s+)- (?!\[.\] )(.*)$/

export const isLooperPlan = (text: string): boolean => firstLine.test(text)

export function plainPlan(text: string): string {
  const lines = text.split(/\r?\n/)
  const parts = partsOf(lines)
  /** The indents of the split tasks around a line. */
  const wholes: number[] = []
  let isLeftOut = false
  return lines
    .flatMap((line) => {
      const id = idOf(line)
      const indent = line.search(/\S/)
      while (id !== undefined && (wholes.at(-1) ?? -1) >= indent) wholes.pop()
      const own = line.slice(step * wholes.length)
      if (id !== undefined) isLeftOut = parts.has(id)
      if (id !== undefined && isLeftOut) wholes.push(indent)
      return isLeftOut ? [] : [taskLine(own, parts) ?? criterionLine(own) ?? own]
    })
    .join('\n')
}

/** How far a part is indented below its task. */
const step = 2

const idOf = (line: string): string | undefined => task.exec(line)?.[3]?.replaceAll('*', '')

/** The parts of each task that was split, by its id. A part stands below it, indented by one step more. */
function partsOf(lines: readonly string[]): Map<string, string[]> {
  const parts = new Map<string, string[]>()
  const above: { id: string; indent: number }[] = []
  for (const line of lines) {
    const [, indent = '', , , title, said = ''] = task.exec(line) ?? []
    const id = idOf(line)
    if (title === undefined || id === undefined) continue
    while ((above.at(-1)?.indent ?? -1) >= indent.length) above.pop()
    const whole = above.at(-1)
    if (whole !== undefined) parts.get(whole.id)?.push(id)
    above.push({ id, indent: indent.length })
    if (said.startsWith('**split**')) parts.set(id, [])
  }
  // A split without parts is an open task.
  return new Map([...parts].filter(([, ids]) => ids.length > 0))
}

/** Replaces tasks that were split by their parts. */
const resolved = (ids: readonly string[], parts: ReadonlyMap<string, readonly string[]>): string[] => [
  ...new Set(ids.flatMap((id) => (parts.has(id) ? resolved(parts.get(id) ?? [], parts) : [id]))),
]

function taskLine(line: string, parts: ReadonlyMap<string, readonly string[]>): string | null {
  const [, indent = '', mark = ' ', id = '', title, said = ''] = task.exec(line) ?? []
  if (title === undefined) return null
  const after = /(?:^| · )after ([^·]+)/.exec(said)?.[1]
  const shown = said.includes('**cancelled**') ? '-' : mark
  const lines = [`${indent}- [${shown}] ${id} ${unescaped(title)}`]
  const named = after === undefined ? [] : resolved(after.trim().split(/,\s*/), parts)
  return [...lines, ...(named.length === 0 ? [] : [`${indent}  after: ${named.join(', ')}`])].join('\n')
}

function criterionLine(line: string): string | null {
  const [, indent = '', text] = criterion.exec(line) ?? []
  return text === undefined ? null : `${indent}criteria: ${unescaped(text)}`
}

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\([\\`*[\]|~$_#>+=.)-])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
