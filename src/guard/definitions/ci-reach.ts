/** Finds CI that runs in fewer cases than before: fewer triggers, fewer versions, a new condition. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { readSettings } from './settings.ts'

const workflow = /(?:^|\/)\.(?:github|forgejo|gitea)\/workflows\/.+\.ya?ml$/
/** Conditions that depend only on the result of earlier steps, or that select among the runs of a matrix. */
const harmless = /^(?:\$\{\{)?\s*!?\s*(?:always|success|cancelled|failure)\(\)|\bmatrix\./
const docs = /\.(?:mdx?|txt|rst|adoc)['"]?$|^['"]?docs\//

export function compareCiReach(changed: readonly ChangedFile[]): TamperFinding[] {
  return changed
    .filter(({ path }) => workflow.test(path))
    .flatMap(({ path, before, after }) => {
      if (before === null || after === null) return []
      const said = [
        ...triggersLost(before, after),
        ...versionsLost(path, before, after),
        ...conditionsCome(before, after),
      ]
      return said.slice(0, 10).map((detail) => finding('ci-lowered', path, null, detail))
    })
}

const linesOf = (text: string): string[] =>
  text
    .slice(0, 200_000)
    .split('\n')
    .map((line) =>
      line
        .slice(0, 500)
        .replace(/(^|\s)#.*$/, '')
        .trimEnd(),
    )

/** Returns the lines of the `on:` section. */
function occasions(text: string): string[] {
  const lines = linesOf(text)
  const from = lines.findIndex((line) => /^["']?on["']?:/.test(line))
  if (from < 0) return []
  const length = lines.slice(from + 1).findIndex((line) => /^\S/.test(line))
  return lines.slice(from, length < 0 ? lines.length : from + 1 + length)
}

function triggersLost(before: string, after: string): string[] {
  const [was, is] = [occasions(before), occasions(after)]
  const has = (lines: readonly string[], word: string): boolean =>
    lines.some((line) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(line))
  const gone = ['push', 'pull_request', 'merge_group'].filter((word) => has(was, word) && !has(is, word))
  const filters = ['paths', 'paths-ignore', 'branches', 'branches-ignore'].filter(
    (word) => has(is, `${word}:`) && !has(was, `${word}:`),
  )
  const entries = is
    .filter((line) => !was.includes(line))
    .flatMap((line) => line.replace(/^[\s-]*(?:[\w-]+:)?\s*/, '').split(/[[\],]/))
  const onlyDocs =
    filters.join() === 'paths-ignore' && entries.every((entry) => entry.trim() === '' || docs.test(entry.trim()))
  return [
    ...gone.map((word) => `no longer runs on ${word}`),
    ...(onlyDocs ? [] : filters.map((word) => `runs for less: ${word}`)),
  ]
}

function versionsLost(path: string, before: string, after: string): string[] {
  const is = readSettings(path, after)
  return [...readSettings(path, before)]
    .filter(([key]) => /\.matrix\.(?!include|exclude)/.test(key))
    .flatMap(([key, values]) => {
      const now = is.get(key)
      const gone = values.filter((value) => now !== undefined && !now.includes(value))
      const most = now !== undefined && gone.length * 2 > values.length && now.length < values.length
      return most ? [`${key.split('.').at(-1)}: no longer ${gone.join(', ')}`] : []
    })
}

/** Finds a new `if` on a job or step that existed before. */
function conditionsCome(before: string, after: string): string[] {
  const known = new Set(linesOf(before).map((line) => line.trim()))
  const lines = linesOf(after)
  return lines.flatMap((line, index) => {
    const condition = /^\s*(?:- )?if:\s*(.+)$/.exec(line)?.[1]
    const plain = line.trim()
    if (condition === undefined || harmless.test(condition) || known.has(plain.replace(/^- /, '')) || known.has(plain))
      return []
    const there = itsLines(lines, index).some(
      (other) => /\b(?:run|uses|steps|runs-on):/.test(other) && known.has(other),
    )
    return there ? [`only if ${condition}`] : []
  })
}

/** Returns the lines of the entry that a line belongs to: adjacent lines with the same indentation. */
function itsLines(lines: readonly string[], at: number): string[] {
  const indentOf = (line: string): number => line.replace(/^(\s*)- /, '$1  ').search(/\S|$/)
  const indent = indentOf(lines[at] ?? '')
  const mine: string[] = []
  for (let position = at; position >= 0 && position > at - 30; position -= 1) {
    const line = lines[position] ?? ''
    if (line.trim() !== '' && indentOf(line) < indent) break
    mine.push(line.trim(), line.trim().replace(/^- /, ''), `- ${line.trim().replace(/^- /, '')}`)
    if (/^\s*- /.test(line) && indentOf(line) === indent) break
  }
  for (let position = at + 1; position < lines.length && position < at + 30; position += 1) {
    const line = lines[position] ?? ''
    if (line.trim() !== '' && (indentOf(line) < indent || (/^\s*- /.test(line) && indentOf(line) === indent))) break
    if (indentOf(line) === indent) mine.push(line.trim(), `- ${line.trim()}`)
  }
  return mine
}
