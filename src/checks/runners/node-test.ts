/** node:test in its spec format and in TAP, and other TAP such as that of tape. */
import { first, sum, tally, tidy, type RunnerTotals, type TestRunner } from './test-runner.ts'

/** node:test and tape. Their `tests N` includes skipped tests. A file without tests is reported as a passed test. */
function count(text: string): number | null {
  const ended = sum(text, /^[#ℹ] (?:pass|fail|cancelled) +(\d+)$/gm, first)
  const files =
    sum(text, /^(?:ok \d+ - |✔ )(?:\/.*|\S*[._-]test|\S*\btests?\/\S*)\.[cm]?[jt]s(?: \([\d.]+ms\))?$/gm, () => 1) ?? 0
  return ended === null ? null : Math.max(0, ended - files)
}

/** node:test in both of its formats, and other TAP that ends with totals. */
function failures(text: string): RunnerTotals | null {
  const ran = count(text)
  if (ran === null) return null
  const lines = text.split('\n')
  const failed = tally(text, /^[#ℹ] (?:fail|cancelled) +(\d+)$/gm)
  let group: string | undefined
  const named = lines.flatMap((line, at) => {
    group = groupOf(line) ?? group
    return failedPoint(line, lines.slice(at + 1, at + 20), group) ?? failedSpec(line, lines[at + 1]) ?? []
  })
  return { names: named, failed, passed: ran - failed }
}

const inFile = (file: string | undefined, name: string): string =>
  file === undefined || name === file ? name : `${file} › ${name}`

/** tape prints the name of a test as a comment, and then its assertions as points whose texts recur. */
const groupOf = (line: string): string | null =>
  /^# (?!Subtest: |(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms|ok)\b)(\S.*)$/.exec(line)?.[1] ?? null

/** Null for a suite that failed only because of its members, which are reported themselves. */
function failedPoint(line: string, rest: readonly string[], group: string | undefined): string | null {
  const name = /^ *not ok \d+(?: -)? (.+?)(?: # .*)?$/.exec(line)?.[1]
  if (name === undefined || / # (?:TODO|SKIP)\b/i.test(line)) return null
  const end = rest.findIndex((other) => other.trim() === '...')
  const about = rest[0]?.trim() === '---' ? rest.slice(0, end === -1 ? undefined : end).join('\n') : ''
  if (/^ *type: 'suite'$/m.test(about) && /^ *failureType: 'subtestsFailed'$/m.test(about)) return null
  return inFile(/^ *location: '(.+?)(?::\d+)+'$/m.exec(about)?.[1] ?? group, name)
}

function failedSpec(line: string, next: string | undefined): string | null {
  const file = /^test at (.+?)(?::\d+)+$/.exec(line)?.[1]
  const name = /^✖ (.+?)(?: \([\d.]+ms\))?$/.exec(next ?? '')?.[1]
  return file === undefined || name === undefined ? null : inFile(file, name)
}

/** node's spec reporter: `▶` opens a group, and a line with the same name closes it. */
function executedInSpec(text: string): string[] {
  if (!/^ℹ tests \d+$/m.test(text)) return []
  const open: { indent: number; name: string }[] = []
  const names: string[] = []
  for (const line of text.slice(0, text.search(/^✖ failing tests:$/m) >>> 0).split('\n')) {
    const [, space, mark, rest] = /^( *)([▶✔✖]) (.+?)(?: \(\d[\d.]*ms\))?(?: # .*)?$/.exec(line) ?? []
    if (space === undefined || rest === undefined || / # (?:SKIP|TODO)/.test(line)) continue
    while ((open.at(-1)?.indent ?? -1) > space.length) open.pop()
    const last = open.at(-1)
    if (last?.indent === space.length) {
      open.pop()
      if (last.name === rest) continue
    }
    if (mark === '▶' && !/\(\d[\d.]*ms\)$/.test(line)) open.push({ indent: space.length, name: rest })
    else if (mark !== '▶') names.push(tidy([...open.map(({ name }) => name), rest].join(' > ')))
  }
  return names
}

/** TAP from node and others: `# Subtest:` opens a group, and the group's own test point follows its members. */
function executedInTap(text: string): string[] {
  if (!/^\s*(?:not )?ok \d+/m.test(text)) return []
  const groups: { indent: number; name: string }[] = []
  const names: string[] = []
  const parents = new Set<string>()
  const isTape =
    !/# Subtest: /.test(text) && /^# (?!tests|pass|fail|ok|skip|todo|duration|cancelled|suites)\S/m.test(text)
  for (const line of text.split('\n')) {
    const group = /^( *)# Subtest: (.+)$/.exec(line)
    if (group !== null) {
      while ((groups.at(-1)?.indent ?? -1) >= (group[1] ?? '').length) groups.pop()
      parents.add(groups.map(({ name }) => name).join(' > '))
      groups.push({ indent: (group[1] ?? '').length, name: group[2] ?? '' })
    }
    const title = isTape ? /^# (?!tests |pass |fail |ok$|skip |todo )(\S.*)$/.exec(line)?.[1] : undefined
    if (title !== undefined) names.push(tidy(title))
    const point = isTape ? null : /^( *)(?:not )?ok \d+(?: -)? (.+?)(?: # .*)?$/.exec(line)
    if (point === null || / # (?:SKIP|TODO)/i.test(line)) continue
    while ((groups.at(-1)?.indent ?? -1) >= (point[1] ?? '').length) groups.pop()
    names.push(tidy([...groups.map(({ name }) => name), point[2] ?? ''].join(' > ')))
  }
  return names.filter((name) => !parents.has(name))
}

export const nodeTest: TestRunner = {
  count,
  failures,
  executed: (text) => [...executedInSpec(text), ...executedInTap(text)],
}
