import { describe, expect, test } from 'vitest'
import { projectWith, stage } from '../../test/kit/definitions.ts'
import { cases, type Files, fixed, flow, inline, my } from '../../test/kit/lint-cases.ts'
import { createFindings, lintCodes, type Finding, type LintCode } from './finding.ts'
import { lintReport } from './lint-report.ts'
import { lint } from './lint.ts'
import { findDefinition, inspect } from './load-pipeline.ts'

const findingsIn = (files: Files): Finding[] => {
  const where = projectWith(files)
  return inspect(findDefinition('my', ['pipeline', 'stage'], where), where).findings
}

describe('C8: lint', () => {
  const each = Object.entries(cases).flatMap(([code, list]) =>
    list.map((one, index) => ({ code: code as LintCode, index, ...one })),
  )

  test.each(each)('$code, case $index: what is wrong is reported, alone and with its place', ({ code, wrong, at }) => {
    expect(findingsIn(wrong).map(({ code, severity, file, line }) => `${code} ${severity} ${file}:${line}`)).toEqual([
      `${code} ${lintCodes[code].severity} ${at}`,
    ])
  })

  test.each(each)('$code, case $index: what is right is not', ({ right }) => {
    expect(findingsIn(right)).toEqual([])
  })

  test('every code has its cases', () => {
    expect(Object.entries(cases).filter(([, list]) => list.length === 0)).toEqual([])
    expect(Object.keys(cases)).toEqual(Object.keys(lintCodes))
  })

  test.each([
    [
      my('completion: plateu'),
      '"completion" must be one of tasks-empty, beads-empty, plateau, fixed-n, all-items, judge, until, not "plateu" (did you mean "plateau"?)',
    ],
    [my(`${fixed}\nmin_itertions: 2`), 'unknown key "min_itertions" (did you mean "min_iterations"?)'],
    [my(fixed, '${SESION}'), 'unknown variable ${SESION} (did you mean "SESSION"?)'],
    [flow('stage: wrok'), 'there is no stage "wrok" (did you mean "work"?)'],
    [flow('name: work'), 'the stage "work" names neither a stage nor a prompt (did you mean stage: work?)'],
    [
      flow('stage: work', inline('two', '${INPUTS.wrok}')),
      '${INPUTS.wrok}: there is no stage "wrok" (did you mean "work"?)',
    ],
    [flow(inline('one', '${INPUTS.two}'), inline('two', 'x')), '${INPUTS.two}: "two" does not come before this stage'],
  ])('%# says what was probably meant', (files, message) => {
    expect(findingsIn(files).map((finding) => finding.message)).toEqual([message])
  })

  test('a stage by itself is not blamed for what only a pipeline can show', () => {
    expect(findingsIn(my(fixed, '${INPUTS} ${INPUTS.plan} ${OUTPUT}'))).toEqual([])
  })

  test('a problem of a stage is reported once, also when several pipelines use it', () => {
    const files = {
      ...stage('bad', `description: d\n${fixed}\n`, '${FOO}'),
      ...flow('stage: bad', 'name: again\n    stage: bad'),
    }
    expect(findingsIn(files).map(({ code, file, line }) => `${code} ${file}:${line}`)).toEqual([
      'P021 .looper/stages/bad/prompt.md:1',
    ])
    expect(lintReport(projectWith(files), null, null)).toMatchObject({ errors: 0, warnings: 1 })
  })

  test('a definition is judged without a file in sight', () => {
    const one = { file: 'x', line: 1, name: 'a', stage: 'a', fields: {}, prompt: null, items: null, inline: false }
    expect(
      lint({ name: 'p', description: '', single: false, file: 'x', line: 1, stages: [one, { ...one, line: 2 }] }).map(
        ({ code }) => code,
      ),
    ).toEqual(['P011', 'P011', 'P033'])
  })

  test('many warnings never hide an error', () => {
    const { addFinding: tell, list } = createFindings()
    for (let line = 1; line <= 1_000; line += 1) tell('P021', { file: 'a', line }, 'x')
    tell('P001', { file: 'b', line: 1 }, 'y')
    expect(list()).toHaveLength(201)
    expect(list().at(-1)).toMatchObject({ code: 'P001' })
  })

  test('C4: everything built in is without a flaw', () => {
    const report = lintReport(projectWith({}), null, null)
    expect(report.findings).toEqual([])
    expect(report.checked).toHaveLength(7)
  })
})
