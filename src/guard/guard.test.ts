/**
 * Laws of the guard: what it must always find, what it must never report as tampering, and that no input can break it.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guard } from './guard.ts'

const word = fc
  .stringMatching(/^[a-z]{3,8}$/)
  .filter(
    (each) =>
      !/^(?:for|new|var|let|def|not|and|try|del|with|from|else|elif|pass|void|this|class|async|await|break|catch|const|false|final|print|raise|super|throw|while|yield|assert|delete|export|global|import|lambda|return|switch|typeof|default|except|extends|finally|function|skip|todo|only|test|describe|context|suite|specify|pending|fixme|expect|fail|none|true|check|verify|ensure|should|must)$/.test(
        each,
      ),
  )
const assertion = fc.record({
  subject: word,
  input: fc.integer({ min: 0, max: 99 }),
  expected: fc.integer({ min: 0, max: 99 }),
})
const testCase = fc.record({
  name: word,
  assertions: fc.array(assertion, { minLength: 1, maxLength: 4 }),
  group: fc.option(word),
})
const suite = fc.uniqueArray(testCase, {
  minLength: 1,
  maxLength: 8,
  selector: ({ name, group }) => `${group}-${name}`,
})
type Suite = typeof suite extends fc.Arbitrary<infer Value> ? Value : never

const languages = {
  TypeScript: {
    path: 'src/a.test.ts',
    write: (tests: Suite) =>
      tests
        .map(({ name, assertions, group }) => {
          const body = assertions
            .map(({ subject, input, expected }) => `    expect(${subject}(${input})).toBe(${expected})\n`)
            .join('')
          const it = `  it('${name}', () => {\n${body}  })\n`
          return group === null ? it : `describe('${group}', () => {\n${it}})\n`
        })
        .join('\n'),
    comment: '// it.skip, describe.only( [ " \n',
  },
  Python: {
    path: 'tests/test_a.py',
    write: (tests: Suite) =>
      tests
        .map(({ name, assertions, group }) => {
          const indent = group === null ? '' : '    '
          const body = assertions
            .map(({ subject, input, expected }) => `${indent}    assert ${subject}(${input}) == ${expected}\n`)
            .join('')
          return `${group === null ? '' : `class Test${group}:\n`}${indent}def test_${name}(${group === null ? '' : 'self'}):\n${body}`
        })
        .join('\n'),
    comment: '# pytest.skip( [ " \n',
  },
  Go: {
    path: 'a_test.go',
    write: (tests: Suite) =>
      `package a\n\n${tests.map(({ name, assertions, group }) => `func Test_${group}_${name}(t *testing.T) {\n${assertions.map(({ subject, input, expected }) => `\trequire.Equal(t, ${expected}, ${subject}(${input}))\n`).join('')}}\n`).join('\n')}`,
    comment: '// t.Skip()\n',
  },
}

describe.each(Object.entries(languages))('in %s', (_name, { path, write, comment }) => {
  const judge = (before: Suite, after: Suite, more = '') =>
    guard.compare([{ path, before: write(before), after: more + write(after) }])

  test('a change of nothing but layout and comments is no tampering', () => {
    fc.assert(
      fc.property(suite, (tests) => {
        expect(judge(tests, tests, `\n\n${comment}`)).toEqual({ findings: [], newTests: [] })
      }),
    )
  })

  test('added tests are no tampering, and are listed as new', () => {
    fc.assert(
      fc.property(suite, fc.nat(), (tests, at) => {
        const fewer = tests.filter((_test, index) => index !== at % tests.length)
        expect(judge(fewer, tests)).toEqual({ findings: [], newTests: [path] })
      }),
    )
  })

  test('deleting any one test is found', () => {
    fc.assert(
      fc.property(suite, fc.nat(), (tests, at) => {
        const gone = tests[at % tests.length]
        const { findings } = judge(
          tests,
          tests.filter((each) => each !== gone),
        )
        expect(
          findings.filter(({ kind, test: name }) => kind === 'test-deleted' && name?.includes(gone?.name ?? '')),
        ).toHaveLength(1)
        expect(findings).toHaveLength(1)
      }),
    )
  })

  test('taking any one assertion out is found, in its test', () => {
    fc.assert(
      fc.property(suite, fc.nat(), fc.nat(), (tests, at, position) => {
        const changed = tests.map((each, index) =>
          index === at % tests.length
            ? {
                ...each,
                assertions: each.assertions.filter((_assertion, other) => other !== position % each.assertions.length),
              }
            : each,
        )
        const { findings } = judge(tests, changed)
        expect(findings.map(({ kind }) => kind)).toEqual(['assertions-removed'])
        expect(findings[0]?.test).toContain(tests[at % tests.length]?.name)
      }),
    )
  })

  test('the order of tests does not matter, nor the file they are in', () => {
    fc.assert(
      fc.property(suite, (tests) => {
        expect(judge(tests, tests.toReversed()).findings).toEqual([])
        const other = `more/${path}`
        expect(
          guard.compare([
            { path, before: write(tests), after: null },
            { path: other, before: null, after: write(tests) },
          ]),
        ).toEqual({ findings: [], newTests: [] })
      }),
    )
  })
})
