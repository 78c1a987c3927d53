import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { guard } from './guard.ts'

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
    { numRuns: tries(1_000) },
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
  const text = piece.repeat(Math.floor(30_000 / piece.length))
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
