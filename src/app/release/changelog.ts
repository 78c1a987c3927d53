/** Turns the `Unreleased` section of a changelog into a release. */
import { firstLines } from '../../model/and-more.ts'

export interface Release {
  version: string
  /** As 2026-01-31. */
  date: string
  tag: string
  /** The tag of the release before; null for the first. */
  before: string | null
  /** Subjects of the commits, used when the `Unreleased` section is empty. */
  subjects: readonly string[]
}

export interface Released {
  text: string
  /** The release notes, without heading. */
  notes: string
}

const unreleased = /^(#{1,3})[ \t]+(\[?)unreleased\]?[^\n]*$/im
const mostSubjects = 200

/** Keeps the text under `Unreleased` word for word; uses the subjects of the commits when there is none. */
export function releaseChangelog(text: string, release: Release): Released {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.replaceAll('\r\n', '\n')
  const head = unreleased.exec(lines)
  const edited = head === null ? withNewSection(lines, release) : withRenamedSection(lines, head, release)
  return { text: withLinks(edited.text, release).replaceAll('\n', eol), notes: edited.notes }
}

/** Whether the changelog has a section for that version. */
export const hasRelease = (text: string, version: string): boolean =>
  new RegExp(`^#{1,3}[ \\t]+\\[?v?${version.replace(/[.+*?^$()|[\]\\{}]/g, '\\$&')}(?![\\w.+-])`, 'm').test(text)

/** The text of a version's section, without its heading. */
export function notesOf(text: string, version: string): string {
  const lines = text.replaceAll('\r\n', '\n')
  const head = new RegExp(
    `^(#{1,3})[ \\t]+\\[?v?${version.replace(/[.+*?^$()|[\]\\{}]/g, '\\$&')}(?![\\w.+-])[^\\n]*$`,
    'm',
  ).exec(lines)
  return head === null ? '' : bodyBehind(lines, head).trim()
}

export const subjectList = (subjects: readonly string[]): string =>
  firstLines(subjects, mostSubjects)
    .map((subject) => `- ${subject}`)
    .join('\n')

function withRenamedSection(text: string, head: RegExpExecArray, release: Release): Released {
  const [line, marks = '##', bracket = ''] = head
  const body = bodyBehind(text, head)
  const written = body.trim()
  const notes = written === '' ? subjectList(release.subjects) : written
  const before = text.slice(0, head.index)
  const after = text.slice(head.index + line.length + body.length)
  const title = `${marks} ${bracket === '' ? release.version : `[${release.version}]`} - ${release.date}`
  return { text: `${before}${line}\n\n${title}\n\n${notes}\n${after === '' ? '' : `\n${after}`}`, notes }
}

/** Inserts the section before the newest release, or after the introduction when there is no release. */
function withNewSection(text: string, release: Release): Released {
  const notes = subjectList(release.subjects)
  const first = /^##[ \t]+.*$/m.exec(text)
  const bracket = first?.[0].includes('[') === true
  const section = `## ${bracket ? `[${release.version}]` : release.version} - ${release.date}\n\n${notes}\n`
  if (first !== null) return { text: `${text.slice(0, first.index)}${section}\n${text.slice(first.index)}`, notes }
  const above = text.trim() === '' ? '# Changelog' : text.trimEnd()
  return { text: `${above}\n\n${section}`, notes }
}

/** The text up to the next heading of the same or a higher level, or up to the links at the end. */
function bodyBehind(text: string, head: RegExpExecArray): string {
  const rest = text.slice(head.index + head[0].length)
  const next = new RegExp(`^(?:#{1,${head[1]?.length ?? 2}}[ \\t]|\\[[^\\]\\n]+\\]:[ \\t])`, 'm').exec(rest)
  return rest.slice(0, next?.index ?? rest.length)
}

/** Makes `[Unreleased]: …/compare/v1.0.0...HEAD` start from the new tag. */
function withLinks(text: string, { version, tag, before }: Release): string {
  return text.replace(
    /^\[unreleased\]:[ \t]*(\S+\/compare\/)(\S+?)\.\.\.HEAD[ \t]*$/im,
    (line, compareUrl: string, from: string) =>
      `${line.replace(`${from}...HEAD`, `${tag}...HEAD`)}\n[${version}]: ${compareUrl}${before ?? from}...${tag}`,
  )
}
