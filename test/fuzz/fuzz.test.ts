/**
 * Hostile input at every edge: mutated JSON, deep nesting, huge numbers, invalid UTF-8, ANSI, NUL. Nothing but typed
 * answers and typed errors comes out.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMask } from '../../src/agents/mask.ts'
import { createProtocolParser } from '../../src/agents/protocol/protocol-parser.ts'
import { validateResult } from '../../src/agents/result.ts'
import { parseConfig } from '../../src/config/file.ts'
import { defaultOutputLimits, openOutput } from '../../src/dispatch/output.ts'
import { createFolder, turnFolder } from '../../src/dispatch/turn-folder.ts'
import { encodeEvent } from '../../src/journal/line.ts'
import { createScanner, start } from '../../src/journal/scan.ts'
import { LooperError } from '../../src/model/error.ts'
import { readPlainFile } from '../../src/platform/plain-file.ts'
import type { Event } from '../../src/model/event.ts'
import { purposes, type Purpose, type ResultShape } from '../../src/model/purposes.ts'
import { baseConfig, limits, ok, outcomeFor, play } from '../kit/play.ts'
import { bytesOf, line, nearly } from './hostile.ts'
import { answers, config } from './right.ts'

/** The same every time, unless LOOPER_SEED says otherwise. */
const { seed = 0 } = fc.readConfigureGlobal() ?? {}
/** `npm run fuzz` tries all of them, `npm test` some. */
const some = process.env['LOOPER_SEED'] === undefined ? 0.4 : 1
const runs = (numRuns: number): fc.Parameters<unknown> => ({ seed, numRuns: some * numRuns })
const told = (numRuns: number): string => (some * numRuns).toLocaleString('en')

const shapes = Object.keys(answers) as ResultShape[]
const asked = Object.keys(purposes) as Purpose[]
/** A purpose whose answer has this shape. */
const purposeFor = (shape: ResultShape): Purpose =>
  asked.find((purpose) => purposes[purpose].result === shape) ?? 'plan'

/** A name that is added to any of these is added to everything. */
const prototypes = (): string[] =>
  [Object.prototype, Array.prototype, Function.prototype, String.prototype].flatMap((prototype) =>
    Reflect.ownKeys(prototype).map(String),
  )

let before: string[]
beforeEach(() => {
  before = prototypes()
})
afterEach(() => expect(prototypes()).toEqual(before))

const dir = mkdtempSync(join(tmpdir(), 'looper-fuzz-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** What an agent printed and left, read as a turn's files are. */
async function readTurn(printed: readonly Buffer[], left: Buffer | null, code: number) {
  const folder = turnFolder(dir, 'T001/a1/implement', 1)
  createFolder(folder)
  writeFileSync(folder.stream, Buffer.concat(printed.flatMap((each) => [each, Buffer.from('\n')])))
  if (left !== null) writeFileSync(folder.result, left)
  const parser = createProtocolParser()
  const output = openOutput({ folder, parser, mask: createMask({}, []) }, defaultOutputLimits)
  try {
    await output.readAll()
    return parser.end({
      code,
      signal: null,
      file: readPlainFile(folder.result, defaultOutputLimits.resultBytes),
      stderr: output.stderrTail(),
      extra: null,
    })
  } finally {
    output.close()
  }
}

const anyAnswer = fc.oneof(...shapes.map((shape) => nearly(answers[shape], 2)))
const printed = bytesOf(
  fc.oneof(
    line,
    anyAnswer.map((value) => JSON.stringify({ type: 'result', result: value })),
  ),
)
/** A purpose, and the result file of a turn for it: anything, an answer, or one of the shape that is asked for. */
const left = fc.constantFrom(...asked).chain((purpose) =>
  fc.tuple(
    fc.constant(purpose),
    fc.option(
      bytesOf(
        fc.oneof(
          line,
          anyAnswer.map((value) => JSON.stringify(value)),
          nearly(answers[purposes[purpose].result], 2).map((value) => JSON.stringify(value)),
        ),
      ),
    ),
  ),
)

/** Some answers of each shape, right or nearly so. */
const castOf = fc.record(
  Object.fromEntries(
    shapes.map((shape) => [shape, fc.array(nearly(answers[shape], 2), { minLength: 2, maxLength: 4 })]),
  ),
)

describe(`fuzz, seed ${seed}`, { timeout: 600_000 }, () => {
  test(`what an agent prints and leaves in its result file: ${told(4_000)} turns`, async () => {
    let [answered, valid] = [0, 0]
    await fc.assert(
      fc.asyncProperty(
        fc.array(printed, { maxLength: 8 }),
        left,
        fc.integer({ min: 0, max: 255 }),
        async (lines, [purpose, file], code) => {
          const { value, usage, failure } = await readTurn(lines, file, code)
          for (const amount of Object.values(usage)) expect(Number.isFinite(amount) && amount >= 0).toBe(true)
          if (failure !== null) expect(typeof failure.message).toBe('string')
          const validation = await validateResult(purpose, value)
          if (!validation.ok) expect(validation.errors.length).toBeGreaterThan(0)
          answered += Number(value !== null)
          valid += Number(validation.ok)
        },
      ),
      runs(4_000),
    )
    expect(answered).toBeGreaterThan(some * 1_000)
    expect(valid).toBeGreaterThan(some * 150)
  })

  test(`answers that are right or nearly so, through the whole core: ${told(1_500)} runs`, async () => {
    const ends = new Map<string, number>()
    let whole = 0
    await fc.assert(
      fc.asyncProperty(castOf, fc.constantFrom('supervised', 'backlog'), async (cast, workflow) => {
        const valid = new Map<ResultShape, unknown[]>()
        for (const shape of shapes) {
          const checked = await Promise.all((cast[shape] ?? []).map((each) => validateResult(purposeFor(shape), each)))
          valid.set(
            shape,
            checked.flatMap((each) => (each.ok ? [each.result] : [])),
          )
        }
        const config = baseConfig({
          workflow,
          ...limits({ attempts: 2, fixCycles: 1, splitDepth: 1, goalIterations: 1, planRevisions: 1, turns: 60 }),
        })
        const { state } = play(config, (work) => {
          if (work.kind !== 'turn') return outcomeFor(work)
          const known = valid.get(purposes[work.purpose].result) ?? []
          return known.length === 0 ? outcomeFor(work) : ok(structuredClone(known[work.id.length % known.length]))
        })
        expect(['completed', 'failed', 'paused']).toContain(state.status)
        ends.set(state.status, (ends.get(state.status) ?? 0) + 1)
        whole += Number([...valid.values()].every((known) => known.length > 0))
      }),
      runs(1_500),
    )
    expect(whole).toBeGreaterThan(some * 800)
    expect(ends.get('completed')).toBeGreaterThan(some * 50)
  })

  test(`configuration files: ${told(4_000)}`, () => {
    let accepted = 0
    const source = fc.oneof(
      { weight: 1, arbitrary: line },
      { weight: 3, arbitrary: nearly(config, 2).map((value) => JSON.stringify(value)) },
    )
    fc.assert(
      fc.property(source, (given) => {
        try {
          expect(parseConfig(given, { where: 'test' })).toBeTypeOf('object')
          accepted += 1
        } catch (error) {
          expect(error).toBeInstanceOf(LooperError)
          expect((error as LooperError).message).not.toMatch(/\n/)
        }
      }),
      runs(4_000),
    )
    expect(accepted).toBeGreaterThan(some * 800)
    expect(accepted).toBeLessThan(some * 3_200)
  })

  test(`journal bytes: ${told(3_000)} damaged journals give a prefix of their events, or say where the damage is`, () => {
    const events = Array.from({ length: 6 }, (_, at): Event => ({
      seq: at + 1,
      at: '2026-01-01T00:00:00.000Z',
      type: 'work.lost',
      id: `T00${at}`,
      why: 'x\u2028"\\',
    }))
    const whole = Buffer.from(events.map((event) => `${encodeEvent(event)}\n`).join(''))
    const change = fc.record({
      at: fc.nat(whole.length - 1),
      drop: fc.nat(40),
      insert: fc.uint8Array({ maxLength: 20 }),
    })
    fc.assert(
      fc.property(change, fc.nat(), ({ at, drop, insert }, split) => {
        const bytes = Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + drop)])
        const seen: Event[] = []
        const scanner = createScanner(start, (event) => seen.push(event))
        const cut = split % (bytes.length + 1)
        scanner.push(bytes.subarray(0, cut))
        scanner.push(bytes.subarray(cut))
        expect(seen).toEqual(events.slice(0, seen.length))
        if (scanner.damage) expect(scanner.damage.seq).toBe(seen.length + 1)
      }),
      runs(3_000),
    )
  })
})
