/** Hostile input at every edge: mutated JSON, deep nesting, huge numbers, invalid UTF-8, ANSI, NUL. Nothing but typed answers and typed errors comes out. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createProtocolParser } from '../../src/agents/protocol/protocol-parser.ts'
import { validateResult } from '../../src/agents/result.ts'
import { parseConfig } from '../../src/config/file.ts'
import { encodeEvent } from '../../src/journal/line.ts'
import { createScanner, start } from '../../src/journal/scan.ts'
import { LooperError } from '../../src/model/error.ts'
import type { Event } from '../../src/model/event.ts'
import type { Role } from '../../src/model/role.ts'
import { baseConfig, limits, ok, outcomeFor, play } from '../kit/play.ts'

/** The same every time, unless LOOPER_SEED says otherwise. */
const { seed = 0 } = fc.readConfigureGlobal() ?? {}
const runs = (numRuns: number): fc.Parameters<unknown> => ({ seed, numRuns })

const nasty = fc.constantFrom(
  '', '\0', '\u001B[2J', '\u202E', '\uFFFD', '__proto__', 'constructor', '{', '}', '"', '\\', '\r', '${x}', '`rm -rf`', '../../x', '-', ' ', '😀', '\u2028', '1e999',
)
const text = fc.oneof(nasty, fc.string({ maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 20 }))
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e308, -1e308, 5e-324, -0, 2 ** 53, 1e21))
const key = fc.constantFrom(
  'type', 'status', 'tasks', 'id', 'title', 'dependsOn', 'score', 'issues', 'severity', 'message', 'questions', 'text', 'default', 'blocks', 'decisions', 'files', 'failures',
  'name', 'error', 'total', 'blocker', 'kind', 'newTasks', 'usage', 'inputTokens', 'costUsd', 'resetsAt', 'agents', 'limits', 'checks', 'run', 'parallel', 'workspace', 'mode',
)
const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 }, text, number, fc.boolean(), fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(fc.oneof(text, key), tie('value'), { maxKeys: 5 }),
  ),
})).value

/** Answers that are nearly right are worse than noise. */
const answer = fc.dictionary(key, fc.oneof(json, fc.constantFrom('plan', 'complete', 'passed', 'blocked', 'needs_clarification', 'major', 70), fc.array(fc.dictionary(key, json, { maxKeys: 4 }), { maxLength: 3 })), { maxKeys: 8 })

/** A line that was JSON before something happened to it. */
const broken = fc.tuple(json, fc.nat(), fc.nat(), text).map(([value, at, length, insert]) => {
  const line = JSON.stringify(value) ?? ''
  const from = at % (line.length + 1)
  return line.slice(0, from) + insert + line.slice(from + (length % 5))
})
const line = fc.oneof(broken, text, answer.map((value) => JSON.stringify(value)), fc.nat({ max: 3_000 }).map((depth) => '['.repeat(depth) + '{"a":'.repeat(depth % 50)))

const roles: readonly Role[] = ['planner', 'supervisor', 'coder', 'tester', 'judge']

describe(`fuzz, seed ${seed}`, () => {
  test('what an agent prints and leaves in its result file: 4,000 turns', async () => {
    await fc.assert(fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.option(fc.oneof(line, fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('utf8')))), fc.constantFrom(...roles), fc.integer({ min: 0, max: 255 }), async (lines, file, role, code) => {
      const parser = createProtocolParser()
      for (const each of lines) parser.push(each)
      const { value, usage, failure } = parser.end({ code, signal: null, file, stderr: '', extra: null })
      for (const amount of Object.values(usage)) expect(Number.isFinite(amount) && amount >= 0).toBe(true)
      if (failure !== null) expect(typeof failure.message).toBe('string')
      const validation = await validateResult(role, value)
      if (!validation.ok) expect(validation.errors.length).toBeGreaterThan(0)
    }), runs(4_000))
  })

  test('answers that are nearly right, through the whole core: 1,500 runs', async () => {
    await fc.assert(fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (answers) => {
      const valid = new Map<Role, unknown[]>()
      for (const role of roles) {
        const checked = await Promise.all(answers.map((each) => validateResult(role, each)))
        valid.set(role, checked.flatMap((each) => (each.ok ? [each.result] : [])))
      }
      const config = baseConfig(limits({ attempts: 2, fixCycles: 1, splitDepth: 1, goalIterations: 1, planRevisions: 1, turns: 60 }))
      const { state } = play(config, (work) => {
        if (work.kind !== 'turn') return outcomeFor(work)
        const known = valid.get(work.role) ?? []
        return known.length === 0 ? outcomeFor(work) : ok(structuredClone(known[work.id.length % known.length]))
      })
      expect(['completed', 'failed', 'paused']).toContain(state.status)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    }), runs(1_500))
  })

  test('configuration files: 4,000', () => {
    fc.assert(fc.property(fc.oneof(line, fc.dictionary(key, json, { maxKeys: 6 }).map((value) => JSON.stringify(value))), (source) => {
      try {
        expect(parseConfig(source, { where: 'test' })).toBeTypeOf('object')
      } catch (error) {
        expect(error).toBeInstanceOf(LooperError)
        expect((error as LooperError).message).not.toMatch(/\n/)
      }
    }), runs(4_000))
  })

  test('journal bytes: 3,000 damaged journals give a prefix of their events, or say where the damage is', () => {
    const events = Array.from({ length: 6 }, (_, at): Event => ({ seq: at + 1, at: '2026-01-01T00:00:00.000Z', type: 'work.lost', id: `T00${at}`, why: 'x\u2028"\\' }))
    const whole = Buffer.from(events.map((event) => `${encodeEvent(event)}\n`).join(''))
    const change = fc.record({ at: fc.nat(whole.length - 1), drop: fc.nat(40), insert: fc.uint8Array({ maxLength: 20 }) })
    fc.assert(fc.property(change, fc.nat(), ({ at, drop, insert }, split) => {
      const bytes = Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + drop)])
      const seen: Event[] = []
      const scanner = createScanner(start, (event) => seen.push(event))
      const cut = split % (bytes.length + 1)
      scanner.push(bytes.subarray(0, cut))
      scanner.push(bytes.subarray(cut))
      expect(seen).toEqual(events.slice(0, seen.length))
      if (scanner.damage) expect(scanner.damage.seq).toBe(seen.length + 1)
    }), runs(3_000))
  })
})
