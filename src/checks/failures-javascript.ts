/** Reads failures from the output of JavaScript test runners, and from TAP. */
import { before, nodeTest, tally, totals, totalsIn, type Told } from './test-runners.ts'

const total = (text: string, pattern: RegExp, words: string): number => before(totalsIn(text, pattern) ?? '', words)

/** A failed test or suite has a line `FAIL file > group > name`; a file that did not load has `FAIL file [ file ]`. */
export function vitest(text: string): Told | null {
  const end = totalsIn(text, totals.vitest)
  if (end === null) return null
  const lines = text.split('\n')
  const names = lines.flatMap((line) => /^ *FAIL {2,}(\S.*?)(?: \[ \S.* \])?$/.exec(line)?.[1] ?? [])
  // Errors that vitest assigns to no test.
  const said = lines.filter((line) => line.trim() !== '')
  const strays = said.flatMap((line, at) =>
    /^⎯+ (?:Uncaught|Unhandled|Typecheck) (?!Errors)[A-Z].* ⎯+$/.test(line) ? (said[at + 1] ?? []) : [],
  )
  const unhandled = total(text, /^ *Errors {2,}\d+ errors?$/gm, 'errors?')
  const suites = tally(text, /^⎯+ Failed Suites (\d+) ⎯+$/gm)
  return {
    names: [...names, ...strays],
    failed: before(end, 'failed') + suites + unhandled,
    passed: before(end, 'passed'),
  }
}

/** Each failure is `● group › name` under `FAIL file`; a file that did not load has one too. */
export function jest(text: string): Told | null {
  const end = totalsIn(text, totals.jest)
  if (end === null) return null
  let file = ''
  const files = new Set<string>()
  const names: string[] = []
  for (const line of text.split('\n')) {
    file = /^ *(?:FAIL|PASS) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file
    const name = /^ {2}● (?!Console$)(.+)$/.exec(line)?.[1]
    if (name === undefined) continue
    names.push(`${file} › ${name}`)
    files.add(file)
  }
  const suites = total(text, /^Test Suites: +.*\d+ total$/gm, 'failed')
  const unloaded = new Set(names.filter((name) => name.endsWith(' › Test suite failed to run'))).size
  const failed = before(end, 'failed') + unloaded + Math.max(0, suites - files.size)
  return { names, failed, passed: before(end, 'passed') }
}

/** A numbered list follows `N failing`. A title spans several lines, and the last one ends with a colon. */
export function mocha(text: string): Told | null {
  const end = totalsIn(text, totals.mocha)
  if (!end?.includes(' passing ')) return null
  const failed = before(end, 'failing')
  const lines = text.split('\n')
  const list = lines.slice(lines.findIndex((line) => /^ {2}\d+ failing$/.test(line)) + 1)
  const names =
    failed === 0
      ? []
      : list.flatMap((line, at) => {
          const first = /^ {2}\d+\) (.+)$/.exec(line)?.[1]
          if (first === undefined) return []
          const title = [first, ...list.slice(at + 1, at + 10).map((part) => part.trim())]
          return title
            .slice(0, title.findIndex((part) => part.endsWith(':')) + 1)
            .join(' › ')
            .slice(0, -1)
        })
  return { names, failed, passed: before(end, 'passing') }
}

/** node:test in both of its formats, and other TAP that ends with totals. */
export function tap(text: string): Told | null {
  const ran = nodeTest(text)
  if (ran === null) return null
  const lines = text.split('\n')
  const failed = tally(text, /^[#ℹ] (?:fail|cancelled) +(\d+)$/gm)
  const named = lines.flatMap(
    (line, at) => failedPoint(line, lines.slice(at + 1, at + 20)) ?? failedSpec(line, lines[at + 1]) ?? [],
  )
  return { names: named, failed, passed: ran - failed }
}

const inFile = (file: string | undefined, name: string): string =>
  file === undefined || name === file ? name : `${file} › ${name}`

/** Null for a suite that failed only because of its members, which are reported themselves. */
function failedPoint(line: string, rest: readonly string[]): string | null {
  const name = /^ *not ok \d+(?: -)? (.+?)(?: # .*)?$/.exec(line)?.[1]
  if (name === undefined || / # (?:TODO|SKIP)\b/i.test(line)) return null
  const end = rest.findIndex((other) => other.trim() === '...')
  const about = rest[0]?.trim() === '---' ? rest.slice(0, end === -1 ? undefined : end).join('\n') : ''
  if (/^ *type: 'suite'$/m.test(about) && /^ *failureType: 'subtestsFailed'$/m.test(about)) return null
  return inFile(/^ *location: '(.+?)(?::\d+)+'$/m.exec(about)?.[1], name)
}

function failedSpec(line: string, next: string | undefined): string | null {
  const file = /^test at (.+?)(?::\d+)+$/.exec(line)?.[1]
  const name = /^✖ (.+?)(?: \([\d.]+ms\))?$/.exec(next ?? '')?.[1]
  return file === undefined || name === undefined ? null : inFile(file, name)
}
