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

const paths = [
  'a.test.ts',
  'a.test.tsx',
  'tests/test_a.py',
  'a_test.go',
  'src/a.rs',
  'a_spec.rb',
  'ATest.java',
  'ATests.cs',
  'tests/ATest.php',
  'a_test.exs',
  'package.json',
  'vitest.config.ts',
  'pyproject.toml',
  '.github/workflows/ci.yml',
  'Makefile',
  'tox.ini',
  'tests/conftest.py',
  'codecov.yml',
  'x.snap',
  'test.sh',
  'tsconfig.json',
  '.eslintrc',
  '.eslintignore',
  '.looper/config.json',
  'check.sh',
  'check.mjs',
]
const pieces = [
  'it(',
  "'a'",
  '() => {',
  '})',
  'describe(',
  '.skip',
  '.each([',
  'expect(',
  ').toBe(',
  '`${',
  '`',
  '/*',
  '*/',
  '//',
  '\n',
  '  ',
  'def test_a():',
  'class TestA:',
  'assert ',
  '@pytest.mark.skip',
  '"""',
  '#',
  'try {',
  'catch',
  'return',
  'if (true)',
  'for (const a of ',
  '[',
  ']',
  '{',
  '}',
  '<a',
  '>',
  '</',
  'const x =',
  '=>',
  'func TestA(t *testing.T) {',
  't.Run(',
  '#[test]',
  'fn a()',
  'end',
  'scripts: ',
  '"test": ',
  '|| true',
  'run:',
  '- ',
  ': ',
  '= ',
  '\\',
  '\u2028',
  '\0',
  'constructor',
  '__proto__',
]

test('no text breaks it', () => {
  const text = fc.option(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
    ),
  )
  fc.assert(
    fc.property(
      fc.array(fc.record({ path: fc.constantFrom(...paths), before: text, after: text }), { maxLength: 4 }),
      (changed) => {
        const { findings, newTests } = guard.compare(changed, [
          'sh check.sh',
          'node check.mjs',
          'make test',
          'npm test',
        ])
        expect(findings.every(({ detail, test: name }) => !/[\p{Cc}]/u.test(`${detail}${name ?? ''}`))).toBe(true)
        expect(newTests.every((file) => changed.some(({ path }) => path === file))).toBe(true)
      },
    ),
    { numRuns: 1000 },
  )
})

test('a file that can no longer be read is reported', () => {
  const before = "it('adds', () => { expect(add(1)).toBe(2) })\n"
  const { findings } = guard.compare([{ path: 'a.test.ts', before, after: before + ' '.repeat(1_000_001) }])
  expect(findings).toEqual([
    {
      kind: 'test-deleted',
      file: 'a.test.ts',
      test: null,
      detail: 'has grown too big to be compared, 1 tests with it',
    },
  ])
})

test.each([
  '(',
  'a(',
  '{',
  '`${',
  '[',
  '<a>',
  'if(',
  '.a()',
  '\0',
  '"',
  "it('a',()=>{",
  'expect(',
  'x?',
  '@',
  '=>',
  'it.each([',
  'const a=[',
  'for(const a of b)',
  'try{',
  'return ',
  "it('a', () => { expect(1).toBe(2) })\n",
  'it["a"]',
  '<',
  'describe.skip(',
  '\n',
  'if(a)',
  'x&&expect(',
  "it('a',()=>{setTimeout(()=>",
  'try{}finally{',
  "it('a',()=>{function a(){",
  'if(a)return\n',
  "it('a',()=>{if(a){return\n",
  'if(a){return\n',
  'switch(1){case 2:',
  'a:{break a;',
  "it('a',()=>{b.then(()=>{",
  '(async()=>{',
  'async function a(){a()',
])('a file full of %j is read to its end', (piece) => {
  const text = piece.repeat(Math.floor(60_000 / piece.length))
  for (const path of [
    'a.test.ts',
    'a.test.tsx',
    'tests/test_a.py',
    'package.json',
    'a_test.go',
    'a_spec.rb',
    'Makefile',
    'pyproject.toml',
    '.github/workflows/a.yml',
    'check.sh',
  ])
    guard.compare([{ path, before: `it('a', b)\n${text}`, after: text }], ['sh check.sh'])
})
