import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LooperError } from '../model/error.ts'
import { loadTemplates, namesIn, render, templateNames } from './templates.ts'

const shipped = join(import.meta.dirname, '..', '..', 'prompts')
let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'looper-prompts-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

const problem = (act: () => unknown): LooperError => {
  try {
    act()
  } catch (error) {
    if (error instanceof LooperError) return error
  }
  throw new Error('it did not fail')
}

test('every shipped prompt is known, loads, and uses only variables that have a value', () => {
  const files = readdirSync(shipped).map((file) => file.replace(/\.md$/, ''))
  expect(files.toSorted()).toEqual(Object.keys(templateNames).toSorted())
  const templates = loadTemplates([shipped])
  for (const { id, text } of Object.values(templates)) {
    const { required, optional } = templateNames[id]
    const known: string[] = [...required, ...optional]
    expect(known, id).toEqual(expect.arrayContaining(namesIn(text)))
  }
})

describe('overrides', () => {
  test('a prompt of the project overrides the shipped one, and the others stay', () => {
    writeFileSync(join(dir, 'coder.fix.md'), 'Fix it.\n${CONTEXT}\n${RESULT}\n')
    const templates = loadTemplates([dir, join(dir, 'absent'), shipped])
    expect(templates['coder.fix'].text).toBe('Fix it.\n${CONTEXT}\n${RESULT}')
    expect(templates['coder.implement'].path).toBe(join(shipped, 'coder.implement.md'))
  })

  test.each([
    ['an unknown name', 'Do ${TSK} ${CONTEXT} ${RESULT}', '${TSK}'],
    ['an odd name', 'Do ${ } ${CONTEXT} ${RESULT}', '${ }'],
    ['a missing context', 'Do it. ${RESULT}', '${CONTEXT} is missing'],
    ['a missing result', 'Do it. ${CONTEXT}', '${RESULT} is missing'],
  ])('%s is an error that names the file', (_, text, told) => {
    writeFileSync(join(dir, 'coder.fix.md'), text)
    const error = problem(() => loadTemplates([dir, shipped]))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toContain(told)
    expect(error.message).toContain(join(dir, 'coder.fix.md'))
  })

  test('a prompt that cannot be read is an error, not a silent fallback', () => {
    mkdirSync(join(dir, 'coder.fix.md'))
    expect(problem(() => loadTemplates([dir, shipped])).code).toBe('CONFIG_INVALID')
  })

  test('prompts missing from the package are reported at once', () => {
    expect(problem(() => loadTemplates([dir])).message).toContain('planner.plan.md')
  })
})

describe('render', () => {
  const template = (text: string) => ({ id: 'repair', path: '', text }) as const

  test('substitutes variables once: a value that looks like a variable is not expanded', () => {
    expect(render(template('a ${ERRORS} b'), { ERRORS: '${ERRORS} $& $1 $$' })).toBe('a ${ERRORS} $& $1 $$ b')
  })
  test('an escaped variable is written literally', () =>
    expect(render(template('echo $${HOME} ${ERRORS}'), { ERRORS: 'x' })).toBe('echo ${HOME} x'))
  test('a variable without a value is a bug', () =>
    expect(problem(() => render(template('${ERRORS}'), {})).code).toBe('BUG_INVARIANT'))
})

test('the shipped prompts contain the required instructions (A2)', () => {
  const text = (id: string): string => readFileSync(join(shipped, `${id}.md`), 'utf8')
  expect(text('planner.plan')).toMatch(/3 to 8 tasks/)
  for (const id of ['coder.implement', 'coder.fix']) {
    expect(text(id)).toMatch(/[Dd]o not commit, push/)
    expect(text(id)).toMatch(/weakening/)
    expect(text(id)).toMatch(/blocked.*needs_clarification/s)
  }
  const readOnly = Object.keys(templateNames).filter((id) => /^(?:planner|supervisor|tester)\./.test(id))
  for (const id of readOnly) expect(text(id), id).toMatch(/change\s+no\s+file/)
  expect(text('result')).toContain('$LOOPER_RESULT_FILE')
})
