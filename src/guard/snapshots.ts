/** Finds snapshots that were rewritten in bulk. */
import type { ChangedFile, TamperFinding } from '../model/tamper.ts'
import { finding } from './finding.ts'

const snapshotFile =
  /(?:^|\/)__snapshots__\/|\.snap$|\.ambr$|(?:^|\/)snapshots\/.+\.(?:snap|txt|json|html|svg|out)$|\.approved\.\w+$/
const comparing = /toMatchSnapshot|toMatchFileSnapshot|== snapshot|assert_snapshot|assert_match/
/** Fewer changed snapshots, or changed files, than this are never reported. */
const few = 4
const fewFiles = 10

export function compareSnapshots(changed: readonly ChangedFile[]): TamperFinding[] {
  const files = changed.filter(({ path, before }) => snapshotFile.test(path) && before !== null)
  const after = new Set(
    changed.filter(({ path }) => snapshotFile.test(path)).flatMap(({ after: text }) => [...entriesOf(text).values()]),
  )
  const single: ChangedFile[] = []
  const findings = files.flatMap((file) => {
    const [was, is] = [entriesOf(file.before), entriesOf(file.after)]
    if (was.size <= 1 && file.after !== null) {
      if (plain(file.before ?? '') !== plain(file.after)) single.push(file)
      return []
    }
    const rewritten = [...was].filter(([name, content]) => is.get(name) !== content && !after.has(content)).length
    if (file.after === null) {
      const needed = rewritten > 0 && isStillUsed(file.path, changed)
      return needed
        ? [finding('snapshots-rewritten', file.path, null, `the file is gone with its ${was.size} snapshots`)]
        : []
    }
    const most = rewritten >= few && rewritten * 2 > was.size
    return most
      ? [finding('snapshots-rewritten', file.path, null, `${rewritten} of ${was.size} snapshots are others now`)]
      : []
  })
  const [first] = single
  if (first === undefined || single.length < fewFiles) return findings
  return [
    ...findings,
    finding('snapshots-rewritten', first.path, null, `${single.length} files of snapshots are others now`),
  ]
}

/** Returns the snapshots by name, without layout and the prefixes that older versions wrote. */
function entriesOf(text: string | null): Map<string, string> {
  const entries = new Map<string, string>()
  if (text === null) return entries
  const named = text.split(/^exports\[`/m).slice(1)
  for (const entry of named) {
    const end = entry.indexOf('`] = ')
    if (end > 0) entries.set(entry.slice(0, end), plain(entry.slice(end)))
  }
  for (const entry of named.length > 0 ? [] : text.split(/^# name: /m).slice(1)) {
    const end = entry.indexOf('\n')
    entries.set(entry.slice(0, end), plain(entry.slice(end)))
  }
  return entries.size > 0 ? entries : new Map([['', plain(text)]])
}

const plain = (text: string): string =>
  text
    .replace(/\b(?:Object|Array) (?=[{[])/g, '')
    .replace(/\\?"/g, '"')
    .replace(/\s+/g, ' ')
    .trim()

/** Whether the test of a snapshot file still compares with it. */
function isStillUsed(path: string, changed: readonly ChangedFile[]): boolean {
  const test = path.replace(/__snapshots__\//, '').replace(/\.(?:snap|ambr)$/, '')
  const file = changed.find((each) => each.path === test || each.path.replace(/\.py$/, '') === test)
  return file === undefined || (file.after !== null && comparing.test(file.after))
}
