/** Reads the names of executed tests, passed or failed, from a check's output, when the runner lists all of them. */
import { runnerText } from './tests-executed.ts'

const most = 20_000
const longest = 300

const duration = /(?: \(?[\d.]+ ?m?s\)?)$/
const tidy = (name: string): string => name.replace(duration, '').trim().slice(0, longest)

/**
 * In output order, repeated as often as they ran, without skipped tests. Null when the output does not list them. `cwd`
 * is removed from file paths.
 */
export function executedTests(output: string, cwd: string): string[] | null {
  const text = runnerText(output).replaceAll(`file://${cwd}/`, '').replaceAll(`${cwd}/`, '')
  const lists = readers.map((read) => read(text)).filter((names) => names.length > 0)
  return lists.length === 0 ? null : lists.flat().slice(0, most)
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => tidy(name))

/** `tests/test_a.py::test_b PASSED [ 50%]` */
const pytest = (text: string): string[] => all(text, /^(\S+::.+?) (?:PASSED|FAILED|ERROR|XPASS|XFAIL)\b.*$/gm)
/** `test_b (test_a.Case.test_b) ... ok` */
const unittest = (text: string): string[] =>
  all(text, /^(\w+ \([\w.]+\))(?:\n.*)? \.\.\. (?:ok|FAIL|ERROR|expected failure|unexpected success)$/gm)
const goTest = (text: string): string[] => all(text, /^\s*--- (?:PASS|FAIL): (\S+)/gm)

/** Prefixes each test with its binary, as the names of failed tests are. */
function cargo(text: string): string[] {
  let target = ''
  return text.split('\n').flatMap((line) => {
    target = /^ *(?:Running (?:unittests )?|Doc-tests )(\S+)/.exec(line)?.[1] ?? target
    const name = /^test (.+?)(?: \(line \d+\))?(?: - should panic)? \.\.\. (?:ok|FAILED)$/.exec(line)?.[1]
    return name === undefined ? [] : [tidy(`${target} › ${name}`)]
  })
}

/** `✓ file > group > name`, which only the verbose reporter prints. */
const vitest = (text: string): string[] => all(text, /^ *[✓×✔✖] (?:\|[\w-]+\| )?(\S+ > .+?)(?: \(retry x\d+\))?$/gm)
/** `✔ file › name`. With a single file there is no file prefix, and the node reader matches instead. */
const ava = (text: string): string[] => all(text, /^ *[✔✘✖] (?:\[fail\]: )?(\S.* › .+?)(?: \([\d.]+m?s\))?$/gm)

/** node's spec reporter: `▶` opens a group, and a line with the same name closes it. */
function nodeSpec(text: string): string[] {
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
function tap(text: string): string[] {
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

/** jest and mocha: indented headings, then `✓ name`, `✕ name` or `1) name`. */
function indented(text: string): string[] {
  if (!/^ {2}\d+ passing \(|^Tests: +.*\d+ total$/m.test(text)) return []
  const open: { indent: number; name: string }[] = []
  const names: string[] = []
  let file = ''
  for (const line of text.split('\n')) {
    if (/^ {2}\d+ (?:passing|failing)\b|^Test Suites: |^ {2}● /.test(line)) {
      if (file === '') break
      else continue
    }
    const heading = /^ *(?:PASS|FAIL) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1]
    if (heading !== undefined) {
      file = heading
      open.length = 0
      continue
    }
    const [, space = '', mark, name = ''] = /^( {2,})(?:([✓✔✕×]|\d+\)) )?(\S.*)$/.exec(line) ?? []
    if (space === '' || /^[○-] /.test(name)) continue
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop()
    if (mark === undefined) open.push({ indent: space.length, name })
    else names.push([...(file === '' ? [] : [file]), ...open.map((group) => group.name), tidy(name)].join(' › '))
  }
  return names
}

const readers: readonly ((text: string) => string[])[] = [
  pytest,
  unittest,
  goTest,
  cargo,
  vitest,
  ava,
  nodeSpec,
  tap,
  indented,
]
