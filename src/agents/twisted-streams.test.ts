/** Recorded streams with every value in turn replaced by what nobody expects there: no parser throws, and its counts stay numbers. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sampleTurn } from '../../test/kit/state.ts'
import type { AgentAdapter, AgentParser, TurnAnswer } from './adapter.ts'
import { claudeAdapter } from './claude/index.ts'
import { codexAdapter } from './codex/index.ts'
import { geminiAdapter } from './gemini/index.ts'
import { opencodeAdapter } from './opencode/index.ts'

const recordings = resolve(import.meta.dirname, '../../test/recordings')
const startedAt = '2026-11-15T23:00:00.000Z'
const deep = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => [{ inner }], 'bottom')

/** As JSON: some of them no program could write by itself. */
const odd = [
  null, true, -1, 0.5, '', 'x', '\u0000\u001B[2J\uD800', [], {}, [null, [[]]], { length: 7, toString: 1, '__proto__': 2 }, deep(200),
].map((value) => JSON.stringify(value)).concat('1e999', '-1e999', '9007199254740993', '{"__proto__":{"text":"x"}}')

type Path = readonly (string | number)[]

/** Every place in a value; of a list the first entry stands for all. */
const places = (value: unknown, at: Path = []): Path[] => [
  at, ...typeof value !== 'object' || value === null ? []
    : Array.isArray(value) ? value.slice(0, 1).flatMap((member) => places(member, [...at, 0]))
      : Object.entries(value).flatMap(([key, member]) => places(member, [...at, key])),
]

/** The value as JSON, with the text in the place. */
function replaced(value: unknown, [first, ...rest]: Path, text: string): string {
  if (first === undefined) return text
  const shown = (key: string | number, each: unknown): string => (key === first ? replaced(each, rest, text) : JSON.stringify(each))
  if (Array.isArray(value)) return `[${value.map((each, index) => shown(index, each)).join(',')}]`
  return `{${Object.entries(value as object).map(([key, each]) => `${JSON.stringify(key)}:${shown(key, each)}`).join(',')}}`
}

/** All lines, but one that is twisted: `at` counts them. */
function play(parser: AgentParser, lines: readonly string[], at: number, twisted: string): TurnAnswer {
  lines.forEach((line, index) => parser.push(index === at ? twisted : line))
  parser.doomed()
  parser.session()
  return parser.end({ code: 1, signal: null, file: twisted, stderr: twisted, extra: twisted })
}

/** What the engine counts on, whatever was printed. */
function expectSound({ usage, text, sessionId, failure }: TurnAnswer, what: string): void {
  const counts = Object.values(usage).every((amount) => Number.isFinite(amount) && amount >= 0)
  const words = [text, sessionId ?? '', failure?.message ?? ''].every((each) => typeof each === 'string')
  if (!counts || !words) throw new Error(`${what}: ${JSON.stringify({ usage, text, sessionId, failure })}`)
}

describe.each<[string, AgentAdapter, string]>([
  ['codex', codexAdapter, 'codex-0.166.0'], ['gemini', geminiAdapter, 'gemini-0.61.0'],
  ['claude', claudeAdapter, 'claude-2.1.325'], ['opencode', opencodeAdapter, 'opencode-1.18.33'],
])('%s', (_, adapter, folder) => {
  const linesOf = (name: string): string[] => readFileSync(join(recordings, folder, name), 'utf8').split('\n').filter((line) => line !== '')
  const streams = readdirSync(join(recordings, folder)).filter((name) => name.endsWith('.jsonl')).map(linesOf)
  const parser = (): AgentParser => adapter.parser({ agent: {}, work: sampleTurn({ role: 'coder', purpose: 'implement' }), startedAt })

  test('nothing in its stream is of a type that has to be', () => {
    /** Lines of the same shape need twisting only once. */
    const seen = new Set<string>()
    for (const lines of streams) {
      lines.forEach((line, at) => {
        const value = JSON.parse(line.startsWith('{') ? line : 'null') as unknown
        const shape = `${JSON.stringify((value as { type?: unknown } | null)?.type)} ${places(value).join(' ')}`
        if (value === null || seen.has(shape)) return
        seen.add(shape)
        for (const place of places(value)) {
          for (const text of odd) expectSound(
            play(parser(), lines, at, replaced(value, place, text)), `${text} at ${place.join('.')} of ${line.slice(0, 200)}`,
          )
        }
      })
    }
    expect(seen.size).toBeGreaterThan(3)
  })

  test('nor is anything in the file of its session', () => {
    const limits = { primary: { used_percent: 100, window_minutes: 300, resets_at: 1_794_789_918 }, secondary: null, plan_type: 'plus' }
    const info = { total_token_usage: { input_tokens: 2_000, cached_input_tokens: 800, output_tokens: 30 } }
    const entries = [
      { timestamp: startedAt, type: 'turn_context', payload: { model: 'gpt-5.5' } },
      { timestamp: startedAt, type: 'event_msg', payload: { type: 'token_count', rate_limits: limits, info } },
      {
        timestamp: startedAt, type: 'event_msg',
        payload: { type: 'task_complete', error: { codex_error_info: { response: { http_status_code: 1 } } } },
      },
    ]
    for (const entry of entries) {
      for (const place of places(entry)) {
        for (const text of odd) {
          const extra = replaced(entry, place, text)
          expectSound(parser().end({ code: 1, signal: null, file: null, stderr: '', extra }), extra.slice(0, 300))
        }
      }
    }
  })

  test('no depth and no length is too much', () => {
    const [lines = []] = streams
    const at = lines.length - 1
    const value = JSON.parse(lines[at] ?? '') as object
    const bottomless = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const long = JSON.stringify('x'.repeat(10 * 1024 * 1024))
    for (const text of [bottomless, `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, long]) {
      for (const key of Object.keys(value)) expectSound(play(parser(), lines, at, replaced(value, [key], text)), key)
      expectSound(play(parser(), lines, at, text), 'the line itself')
    }
    const skipping = parser()
    for (const line of lines) {
      skipping.push(line)
      skipping.skip(10 * 1024 * 1024)
    }
    expectSound(skipping.end({ code: 0, signal: null, file: null, stderr: '', extra: null }), 'lines that were skipped')
  })
})
