/** Parses the text of a check box: its id, title and dependencies, and the lines below it with files and criteria. */
import type { ImportedTask } from './imported.ts'

/** Matches only ids that are hardly part of a title: `T-001`, `AUTH-7`, `1.2`. */
const name = String.raw`(T-?\d+(?:\.\d+)*|[A-Z]{2,10}-\d+(?:\.\d+)*|\d+(?:\.\d+)+)`
const names = [
  new RegExp(String.raw`^(?:\*\*|__|\x60|\[|\()${name}(?:[:.])?(?:\*\*|__|\x60|\]|\))[:.]?\s+(?:[–—-]\s+)?`),
  new RegExp(String.raw`^${name}(?:[:.)]|\s+[–—-])\s+`),
  new RegExp(String.raw`^${name}\s+(?=[\p{Lu}\x60"'])`, 'u'),
]
const waiting = /\s{0,9}[([]\s*(?:blocked by|depends[ _-]on|after|needs|requires)\s*:?\s+([^)\]]{1,300})[)\]]/i
const keyed = /^(?:[-*+]\s+)?(?:\*\*|__|`)?([a-z][a-z _-]{2,24})(?:\*\*|__|`)?\s*:(?:\*\*|__)?\s*(.+)$/i

export interface Title {
  /** Null when the text does not start with an id. */
  id: string | null
  title: string
  dependsOn: string[]
  /** What it says that it waits for, and the title with these words. */
  waits: string | null
  whole: string
}

export function readTitle(text: string): Title {
  const found = names.map((pattern) => pattern.exec(text)).find((match) => match !== null) ?? null
  const rest = found === null ? text : text.slice(found[0].length)
  const after = waiting.exec(rest)?.[1]
  return {
    id: found?.[1] ?? null,
    title: bare(rest.replace(waiting, '')),
    dependsOn: after === undefined ? [] : idsIn(after),
    waits: after ?? null,
    whole: bare(rest),
  }
}

/** Removes emphasis around the whole text. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/^(\*\*|__|~~)(.+)\1$/, '$2')
    .trim()

const idsIn = (text: string): string[] =>
  text
    .split(/[\s,;]+|\band\b/)
    .map((word) => word.replace(/^[#`*[(]+|[`*.\])]+$/g, ''))
    .filter((word) => /\d/.test(word))

const filesIn = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim().replace(/^[`*]+|[`*]+$/g, ''))
    .filter(Boolean)

/** Adds a line below a check box to the task: a known key with its value, or a part of the description. */
export function addLine(task: ImportedTask, text: string): void {
  const [, key = '', value = ''] = keyed.exec(text) ?? []
  switch (key.toLowerCase().replace(/[ _-]/g, '')) {
    case 'dependson':
    case 'blockedby':
    case 'after':
    case 'needs':
      return void task.dependsOn.push(...idsIn(value))
    case 'file':
    case 'files':
      return void task.files.push(...filesIn(value))
    case 'acceptance':
    case 'acceptancecriteria':
    case 'criteria':
    case 'criterion':
    case 'verify':
    case 'verification':
    case 'donewhen':
      return void task.criteria.push(value.trim())
    default:
      task.description += `${task.description === '' ? '' : '\n'}${text}`
  }
}

export const tagOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
