/**
 * The messages of Looper's commits. Titles and goals are untrusted text: they cannot add lines, trailers or comments to
 * a message.
 */
import type { CommitSettings } from '../../model/config.ts'
import { conventionalSubject, conventionalType } from '../../model/conventional-commit.ts'
import { plain } from '../../views/text/plain-text.ts'
import { wrap } from '../../views/text/rows.ts'

/** How the commits of a run are written: its goal, and the settings; absent in older runs. */
export interface CommitWording {
  goal: string
  settings?: CommitSettings | undefined
}

/** What a commit is about. For a squashed run, the run and its goal. */
export interface CommitSubject {
  id: string
  title: string
  type: string | null
}

export const usualCommitSettings: CommitSettings = { style: 'plain', template: null, subjectLength: 72 }

/** Subject and body, without trailers; ends with a line feed. */
export function commitText(
  run: string,
  subject: CommitSubject,
  { goal, settings = usualCommitSettings }: CommitWording,
  body = '',
): string {
  const { template, subjectLength } = settings
  const values = valuesOf(run, subject, goal)
  const [first = '', ...rest] = template === null ? [] : rendered(template, values).split('\n')
  const line = template === null ? subjectOf(subject, settings) : subjectLine(first, subject, subjectLength)
  const lines = [...rest, ...(body === '' ? [] : ['', ...body.split('\n')])].map(withoutComment)
  const text = lines.join('\n').replace(/^\n+/, '').trimEnd()
  return text === '' ? `${line}\n` : `${line}\n\n${text}\n`
}

/** Appends trailers. They join the trailers at the end of a template, because git reads only the last paragraph. */
export function withTrailers(
  text: string,
  trailers: Readonly<Record<string, string>>,
  template: string | null,
): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${plain(value)}\n`)
  const last = template
    ?.trimEnd()
    .split(/\n[ \t]*\n/)
    .slice(1)
    .at(-1)
  const joins = last !== undefined && last.split('\n').every((line) => /^[A-Za-z][A-Za-z-]*: /.test(line))
  return `${text}${joins ? '' : '\n'}${lines.join('')}`
}

function subjectOf(subject: CommitSubject, { style, subjectLength }: CommitSettings): string {
  return style === 'conventional'
    ? conventionalSubject(plain(subject.title) || plain(subject.id), subject.type, (text) => plain(text, subjectLength))
    : subjectLine(plain(subject.title), subject, subjectLength)
}

/** Git drops lines that start with # when a message is edited, so such a title follows the id. */
function subjectLine(line: string, { id, title }: CommitSubject, length: number): string {
  const text = plain(line, length) || plain(title, length) || plain(id, length)
  return text.startsWith('#') ? plain(`${plain(id)}: ${line}`, length) : text
}

const withoutComment = (line: string): string => (line.startsWith('#') ? ` ${line}` : line).trimEnd()

const valuesOf = (run: string, { id, title, type }: CommitSubject, goal: string): Readonly<Record<string, string>> => ({
  'task.id': plain(id),
  'task.title': plain(title) || plain(id),
  type: conventionalType(title, type),
  goal: plain(goal, longestGoal),
  run: plain(run),
})
const longestGoal = 500

const rendered = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{\{\s*([a-z.]+)\s*\}\}/g, (whole, name: string) => values[name] ?? whole)

/** The message of a run as one commit: its goal, and its tasks as a list. */
export function squashText(run: string, tasks: readonly CommitSubject[], wording: CommitWording): string {
  const { goal, settings = usualCommitSettings } = wording
  const title = plain(goal.split('\n').find((line) => line.trim() !== '') ?? '')
  const types = new Set(tasks.map((task) => conventionalType(task.title, task.type)))
  const [only = null] = types.size === 1 ? types : []
  const whole = plain(goal)
  const isCut = title !== whole || plain(title, settings.subjectLength) !== title
  const body = [
    ...(isCut ? [...wrap(plain(goal, 2_000), bodyWidth, 0), ''] : []),
    ...tasks.map(({ id, title: name }) => `- ${plain(name, bodyWidth - id.length - 5)} (${plain(id)})`),
  ].join('\n')
  const subject = { id: run, title: title || `Apply ${run}`, type: only }
  // A template is the whole message.
  const text = commitText(run, subject, wording, settings.template === null ? body : '')
  return withTrailers(text, { 'Looper-Run': run }, settings.template)
}
const bodyWidth = 72
