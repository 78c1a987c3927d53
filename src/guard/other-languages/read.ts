/**
 * Reads tests with line patterns, in languages that are not parsed: where they begin, what skips them, what asserts.
 */
import { belongsToTests, type Language } from '../test-path.ts'
import type { Assertion, Helper, Level, Mark, TestCase, TestFile } from '../test-case.ts'
import { reasons, times } from '../test-case.ts'
import { patterns, type Patterns } from './patterns.ts'

const longestLine = 400

/** A line without its comment; strings are kept. */
interface Line {
  text: string
  indent: number
}

export function readByPatterns(
  file: string,
  text: string,
  language: Exclude<Language, 'javascript' | 'python'>,
): TestFile {
  const rules = patterns[language]
  const lines = plainLines(text, rules)
  const tests: TestCase[] = []
  const helpers: Helper[] = []
  const groups: { name: string; end: number; skipped: Mark | null; focused: Mark | null; gate: string | null }[] = []
  const fileGate = rules.gatesFile?.exec(text.slice(0, 100_000))?.[0].split('\n').at(-1)?.trim() ?? null
  const whole =
    rules.skipsFile?.test(text.slice(0, 2000)) === true ? { how: 'the whole file is left out', group: file } : null
  lines.forEach((line, index) => {
    while ((groups.at(-1)?.end ?? Infinity) <= index) groups.pop()
    const group = rules.group?.exec(line.text)
    const start = rules.test.exec(line.text)
    const other = start === null ? (rules.helper?.exec(line.text) ?? null) : null
    if (start === null && other === null && (group ?? null) === null) return
    const before = preamble(lines, index, rules)
    const marks = `${before}\n${line.text}`
    const path = groups.map(({ name }) => name)
    const outer = groups.at(-1)
    const mark = (rule: RegExp | undefined, whom: string | null): Mark | null => {
      const how = rule?.exec(marks)?.[0]
      return how === undefined ? null : { how: how.trim().slice(0, 80), group: whom }
    }
    if (start !== null && (rules.attribute === undefined || rules.attribute.test(before))) {
      const end = blockEnd(lines, index, rules)
      const block = lines.slice(index, end)
      const body = block.map((each) => each.text)
      const assertions = assertionsOf(block, rules)
      const dead = assertions.length > 0 && assertions.every(({ why }) => why === reasons.unreached)
      const inside = body.slice(1).find((each) => rules.skipsInside?.test(each))
      const within = inside === undefined ? null : { how: inside.trim().slice(0, 80), group: null }
      const name = nameIn(start)
      tests.push({
        file,
        path,
        name,
        rows: rowsOf(before, body, rules),
        skipped:
          outer?.skipped
          ?? mark(rules.skips, null)
          ?? within
          ?? whole
          ?? (dead ? { how: reasons.returned, group: null } : null),
        focused: mark(rules.focuses, null) ?? outer?.focused ?? null,
        gate: mark(rules.gates, null)?.how ?? outer?.gate ?? fileGate ?? crashGate(block, rules),
        assertions,
        calls: callsIn(body.slice(1)),
        body: body.join('\n'),
        table: '',
      })
      if (rules.nests === true) groups.push({ name, end, skipped: null, focused: null, gate: null })
    } else if ((start ?? other) !== null && (belongsToTests(file) || path.some((name) => /test/i.test(name)))) {
      const block = lines.slice(index, blockEnd(lines, index, rules))
      const name = nameIn(start ?? other)
      helpers.push({
        file,
        name,
        assertions: assertionsOf(block, rules),
        calls: callsIn(block.slice(1).map((each) => each.text)),
      })
    } else if (group !== null && group !== undefined) {
      const name = nameIn(group)
      const whom = [...path, name].join(' > ')
      const skipped = outer?.skipped ?? mark(rules.skips, whom)
      const focused = mark(rules.focuses, whom) ?? outer?.focused ?? null
      groups.push({
        name,
        end: blockEnd(lines, index, rules),
        skipped,
        focused,
        gate: mark(rules.gates, whom)?.how ?? outer?.gate ?? null,
      })
    }
  })
  return { tests, helpers }
}

const nameIn = (match: RegExpExecArray | null): string =>
  (match ?? [])
    .slice(1)
    .filter((part) => part !== undefined)
    .join('.')
    .replace(/\bDISABLED_/, '')

function plainLines(text: string, rules: Patterns): Line[] {
  let inComment = false
  return text.split('\n').map((raw) => {
    let line = raw.slice(0, longestLine)
    if (inComment) {
      const end = line.indexOf('*/')
      if (end < 0) return { text: '', indent: 0 }
      line = line.slice(end + 2)
      inComment = false
    }
    if (rules.comment === '//') {
      const open = line.search(/\/\*/)
      if (open >= 0 && !/["'`]/.test(line.slice(0, open))) {
        const end = line.indexOf('*/', open)
        inComment = end < 0
        line = line.slice(0, open) + (end < 0 ? '' : line.slice(end + 2))
      }
    }
    const comment = line.search(rules.comment === '//' ? /(?:^|\s)\/\/(?!go:build)/ : /(?:^|\s)#(?![{[])/)
    if (comment >= 0) line = line.slice(0, comment)
    return { text: line.trimEnd(), indent: line.search(/\S|$/) }
  })
}

/** Returns the attributes and tags directly above a line. */
function preamble(lines: readonly Line[], index: number, rules: Patterns): string {
  const above: string[] = []
  for (let at = index - 1; at >= 0 && at > index - 12; at -= 1) {
    const text = lines[at]?.text.trim() ?? ''
    if (text === '' || !rules.above.test(text)) break
    above.unshift(text)
  }
  return above.join('\n')
}

/** Returns the line after the block: it ends at the first line that is not indented deeper. */
function blockEnd(lines: readonly Line[], index: number, rules: Patterns): number {
  const indent = lines[index]?.indent ?? 0
  const opened = lines[index]?.text ?? ''
  if (rules.closes === 'brace' && /\{.*\}\s*\)?;?$/.test(opened)) return index + 1
  const stop = Math.min(lines.length, index + 2000)
  for (let at = index + 1; at < stop; at += 1) {
    const line = lines[at]
    if (line === undefined || line.text === '' || line.indent > indent) continue
    if (/^\s*(?:\{|\)\s*\{?$|\)\s*:)/.test(line.text)) continue
    return /^\s*(?:\}|end\b)/.test(line.text) ? at + 1 : at
  }
  return stop
}

function rowsOf(before: string, body: readonly string[], rules: Patterns): number {
  const above =
    rules.caseAbove === undefined ? 0 : before.split('\n').filter((line) => rules.caseAbove?.test(line)).length
  const within = rules.row === undefined ? 0 : body.filter((line) => rules.row?.test(line)).length
  return Math.max(1, above, within)
}

/** Returns the assertions of a block, how often they run, and which of them are never reached. */
function assertionsOf(block: readonly Line[], rules: Patterns): Assertion[] {
  const scopes: { end: number; times: number; why: string | null }[] = []
  const inner = block[1]?.indent ?? 0
  const lastWait = rules.waits === undefined ? -1 : block.findLastIndex(({ text }) => rules.waits?.test(text))
  let left = false
  return block.flatMap((line, index) => {
    while ((scopes.at(-1)?.end ?? Infinity) <= index) scopes.pop()
    const found = assertionsIn(line.text, rules)
    const never = rules.never?.test(line.text) === true
    const merged = rules.either?.test(line.text) === true ? line.text.split('||').length : 1
    const alone = rules.starts?.test(line.text) === true && lastWait < blockEnd(block, index, rules)
    const cases = rules.loops?.test(line.text) === true ? casesIn(line.text) : merged
    if (index > 0 && (never || alone || cases > 1) && scopes.length < 50) {
      const why = never ? reasons.untrue : alone ? reasons.unawaited : null
      scopes.push({ end: blockEnd(block, index, rules), times: cases, why })
    }
    if (index > 0 && line.indent <= inner && rules.leaves?.test(line.text) === true) left = true
    const why = left ? reasons.unreached : (scopes.find((scope) => scope.why !== null)?.why ?? null)
    const often = scopes.reduce<number | null>((all, scope) => times(all, scope.times), 1)
    return found.map((assertion) => ({
      ...assertion,
      times: often,
      ...(why === null ? {} : { level: 0 as const, why }),
    }))
  })
}

/** Detects deferred code that ignores a panic. Code that recovers in order to assert on the panic is fine. */
function crashGate(block: readonly Line[], rules: Patterns): string | null {
  const { defers, recovers, asserts } = rules
  if (defers === undefined || recovers === undefined) return null
  const passes = block.some(({ text }, index) => {
    if (!defers.test(text)) return false
    const deferred = block
      .slice(index, Math.min(blockEnd(block, index, rules), index + 40))
      .map((line) => line.text)
      .join('\n')
    return recovers.test(deferred) && deferred.match(asserts) === null
  })
  return passes ? 'a panic in it is passed over' : null
}

/** Counts cases in brackets, or separated by commas. */
function casesIn(line: string): number {
  const list = /(?:\[|\{)(?=[({])(.*)(?:\]|\})/.exec(line)?.[1]
  if (list !== undefined) return Math.max(1, (list.match(/\([^()]{0,200}\)|\{[^{}]{0,200}\}/g) ?? []).length)
  return Math.max(
    1,
    (/\[([^[\]]{0,300})\]/.exec(line)?.[1] ?? '').split(',').filter((part) => part.trim() !== '').length,
  )
}

/** Returns the argument that starts at `from`, with its tokens separated by spaces. */
function firstArgument(line: string, from: number): string {
  let depth = 0
  let at = from
  for (; at < line.length; at += 1) {
    const char = line.charAt(at)
    if (/[([{]/.test(char)) depth += 1
    else if (/[)\]}]/.test(char)) depth -= 1
    if (depth < 0 || (depth === 0 && char === ',')) break
  }
  return line
    .slice(from, at)
    .replace(/([(),[\]])/g, ' $1 ')
    .replace(/\s+/g, ' ')
    .trim()
}

function assertionsIn(line: string, rules: Patterns): Assertion[] {
  const found = line.match(rules.asserts) ?? []
  const text = line
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
  const level: Level = rules.nothing.test(line) ? 0 : rules.loose.test(line) ? 1 : 3
  const about = rules.about?.exec(line)
  const subject = about === null || about === undefined ? text : firstArgument(line, about.index + about[0].length)
  return found.map(() => ({
    text,
    subject,
    level,
    why: null,
    condition: null,
    times: 1,
    bound: null,
    via: null,
    opaque: null,
  }))
}

const callsIn = (body: readonly string[]): string[] =>
  body.flatMap((line) => [...line.matchAll(/\b([A-Za-z_]\w{0,60})\(/g)].map(([, name]) => name ?? '')).slice(0, 500)
