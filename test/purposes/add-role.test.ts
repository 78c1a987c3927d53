/**
 * A role with two purposes is added to a copy of the sources: in the table of purposes, in prompts/ and in the stage
 * that asks. The copy compiles, plays a run with it, and does not compile when the table lacks something.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { edits, script, weighRow, type Edit } from './auditor.ts'

const root = resolve(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'looper-purposes-'))
afterAll(() => rmSync(copy, { recursive: true }))

const read = (file: string): string => readFileSync(join(copy, file), 'utf8')
const write = (file: string, text: string): void => writeFileSync(join(copy, file), text)

function apply({ file, after, before, add }: Edit): void {
  const beside = after ?? before
  if (beside === undefined) return write(file, add)
  const parts = read(file).split(beside)
  expect(parts, `${file} has once: ${beside}`).toHaveLength(2)
  write(file, parts.join(after === undefined ? `${add}${beside}` : `${beside}${add}`))
}

/** What the compiler says, one error a line. */
function compile(settings: string): string[] {
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', settings], { cwd: copy, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(': error TS'))
}

/** The errors after one more edit, which is taken back. */
function errorsWithout(file: string, text: string): string[] {
  const whole = read(file)
  expect(whole).toContain(text)
  write(file, whole.replace(text, ''))
  const errors = compile('stage.json')
  write(file, whole)
  return errors
}

beforeAll(() => {
  const isWanted = (path: string): boolean => !path.endsWith('.test.ts')
  for (const part of [
    'src',
    'prompts',
    'scripts/strip-types.js',
    'package.json',
    'test/kit/play.ts',
    'test/kit/base-config.ts',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true, filter: isWanted })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }))
  // What the stage imports, which is compiled in less time.
  write('stage.json', JSON.stringify({ compilerOptions, files: ['src/core/stages/audit-risks.ts'] }))
  edits.forEach(apply)
})

describe('a role with two purposes', () => {
  test('touches the table, the schema of its answer, its prompts and the stage that asks', () => {
    expect([...new Set(edits.map(({ file }) => file))].toSorted()).toEqual([
      'prompts/auditor.list-risks.md',
      'prompts/auditor.weigh-risks.md',
      'prompts/result.auditor.md',
      'src/core/stages/audit-risks.ts',
      'src/core/stages/report.ts',
      'src/model/purposes.ts',
      'src/model/results.ts',
    ])
  })

  test('compiles', () => expect(compile('tsconfig.json')).toEqual([]))

  test.each([
    ['a purpose without the schema of its answer', 'src/model/purposes.ts', "    result: 'auditor',\n", 'purposes.ts'],
    ['a purpose without a role', 'src/model/purposes.ts', "    role: 'auditor',\n", 'purposes.ts'],
    ['a purpose without a label', 'src/model/purposes.ts', "    label: 'listing risks',\n", 'purposes.ts'],
    ['a shape without a schema', 'src/model/results.ts', '  auditor: AuditorResult,\n', 'results.ts'],
    ['a role that is not in the table', 'src/model/purposes.ts', "  'auditor',\n", 'purposes.ts'],
    ['a purpose without a row', 'src/model/purposes.ts', weighRow, 'purposes.ts'],
    ['an answer read as another shape', 'src/model/results.ts', 'odds: z.number()', 'audit-risks.ts'],
  ])('does not compile: %s', (_, file, text, where) => {
    const errors = errorsWithout(file, text)
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.join('\n')).toContain(where)
  })

  test('is asked, instructed, judged and shown by parts that know nothing of it', () => {
    write('play.ts', script)
    const printed = execFileSync(process.execPath, ['--import', './scripts/strip-types.js', 'play.ts'], {
      cwd: copy,
      encoding: 'utf8',
    })
    const said = JSON.parse(printed) as { turns: { prompt: string }[] }
    expect(said).toMatchObject({
      status: 'completed',
      turns: [
        {
          work: { id: 'risks/list', role: 'auditor', purpose: 'list-risks', agent: 'auditing', errors: [] },
          label: 'listing risks',
          line: '● listing risks · auditing',
          writes: false,
          schemaFile: '/r/schemas/auditor.json',
        },
        {
          work: { id: 'risks/list.repair', role: 'auditor', errors: ['fire: odds above 1'] },
          line: '● listing risks · auditing · asked again: the answer was invalid',
        },
        {
          work: { id: 'risks/weigh', role: 'auditor', purpose: 'weigh-risks' },
          label: 'weighing risks',
          schemaFile: '/r/schemas/supervisor.json',
        },
      ],
      valid: { ok: true, result: { risks: [{ name: 'fire', odds: 0.5 }], questions: [] } },
      invalid: { ok: false, errors: ['risks[0].odds: required'] },
      foreign: { ok: false, errors: ["not a auditor's answer: it has none of the keys risks, questions"] },
      weighed: { ok: true, result: { score: 3, issues: [] } },
      schema: { type: 'object', required: ['risks'] },
      tools: ['ask'],
      keys: ['roles.auditor', 'roles.auditor.agent', 'roles.auditor.model'],
    })
    const [first, , last] = said.turns
    expect(first?.prompt).toMatch(
      /^List the risks of run 001-x\.\n.*## The goal\n.*## The tasks and what proves them\n/s,
    )
    expect(first?.prompt).toContain('{ "risks": [{ "name": "…", "odds": 0.5 }] }')
    expect(first?.prompt).not.toContain('## Decisions')
    expect(last?.prompt).toMatch(/^Weigh the risks\. 70 is enough\.\n/)
    expect(last?.prompt).not.toContain('## The tasks and what proves them')
  })
})
