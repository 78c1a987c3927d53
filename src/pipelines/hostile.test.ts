/** Law: any definition yields a pipeline or a typed error, and leaves nothing behind. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { pipeline, projectWith, stage } from '../../test/kit/definitions.ts'
import { LooperError } from '../model/error.ts'
import { lintCodes } from './finding.ts'
import { entryKeys, otherNames, pipelineKeys, snakeCase } from './keys.ts'
import { loadPipeline } from './load-pipeline.ts'

const names = [
  ...Object.keys({ ...entryKeys, ...pipelineKeys }).map(snakeCase),
  ...Object.keys(otherNames),
  '__proto__',
  'constructor',
  '<<',
  '',
]
const scalar = fc.oneof(
  fc.constantFrom(
    'work',
    'plateau',
    'all-items',
    'until',
    'fixed-n',
    '5',
    '0',
    '-1',
    '1e9',
    '.nan',
    'null',
    '~',
    'true',
    '&a x',
    '*a',
    '!!x y',
    '../..',
    '"\\0"',
    '[a, b]',
    '{}',
    '|',
    '${ITEM}',
  ),
  fc.string(),
)
const entry = fc.tuple(fc.constantFrom(...names), scalar).map(([key, value]) => `${key}: ${value}`)
const map = fc.array(entry, { maxLength: 8 })
const yaml = fc.oneof(
  map.map((lines) => lines.join('\n')),
  fc
    .tuple(map, fc.array(map, { maxLength: 4 }))
    .map(
      ([top, stages]) =>
        `${top.join('\n')}\nstages:\n${stages.map((lines) => `  - ${lines.join('\n    ')}`).join('\n')}`,
    ),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ':',
      ' ',
      '-',
      '[',
      ']',
      '{',
      '}',
      '\n',
      '|',
      '>',
      '&',
      '*',
      '!',
      '"',
      "'",
      '#',
      '%',
      '?',
      ',',
      '\t',
      '\u0085',
      '\u2028',
    ),
  }),
)

const prototypes = (): string[] =>
  [Object.prototype, Array.prototype].flatMap((each) => Reflect.ownKeys(each).map(String))

test('a pipeline or a typed error, and nothing is left on any prototype', () => {
  const where = projectWith({ ...stage('my', '', '${ITEM}'), ...pipeline('flow', '') })
  const before = prototypes()
  fc.assert(
    fc.property(yaml, fc.boolean(), (text, single) => {
      writeFileSync(join(where.root, single ? '.looper/stages/my/stage.yaml' : '.looper/pipelines/flow.yaml'), text)
      try {
        const { stages } = loadPipeline(single ? 'my' : 'flow', where)
        expect(stages.length).toBeGreaterThan(0)
        expect(stages.every(({ runs, prompt }) => runs > 0 && prompt.trim() !== '')).toBe(true)
      } catch (error) {
        if (!(error instanceof LooperError)) throw error
        expect(error.code).toBe('CONFIG_PIPELINE')
        expect(Object.keys(lintCodes)).toContain(error.details['code'])
        expect(error.details['line']).toBeGreaterThan(0)
      }
    }),
    { numRuns: tries(500) },
  )
  expect(prototypes()).toEqual(before)
})
