import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { parseProposedCheck } from './proposed-check.ts'

describe('parseProposedCheck', () => {
  test.each<[string, string[]]>([
    ['npm test', ['npm', 'test']],
    ['  npm   run lint  ', ['npm', 'run', 'lint']],
    ['npm test -- src/a.test.ts', ['npm', 'test', '--', 'src/a.test.ts']],
    ['node --test test/parse.test.js', ['node', '--test', 'test/parse.test.js']],
    ['./scripts/check.sh --fast', ['./scripts/check.sh', '--fast']],
    ['../bin/tool', ['../bin/tool']],
    ['ruff check .', ['ruff', 'check', '.']],
    ['go vet ./...', ['go', 'vet', './...']],
    ['pytest tests/test_a.py::test_x[one]', ['pytest', 'tests/test_a.py::test_x[one]']],
    ['node -e "console.log(1 > 0 && 2)"', ['node', '-e', 'console.log(1 > 0 && 2)']],
    ["grep -q 'a|b; the $end' file", ['grep', '-q', 'a|b; the $end', 'file']],
    ['echo "say \\"hi\\" \\\\ \\n"', ['echo', 'say "hi" \\ \\n']],
    ['echo \'a\'"b"c', ['echo', 'abc']],
    ['echo ""', ['echo', '']],
    ['cat a\\ b', ['cat', 'a b']],
    ['tsc --noEmit -p tsconfig.json', ['tsc', '--noEmit', '-p', 'tsconfig.json']],
    ['make all', ['make', 'all']],
    ['/usr/bin/true', ['/usr/bin/true']],
    ['curl -s http://localhost:3000/a=b', ['curl', '-s', 'http://localhost:3000/a=b']],
  ])('takes the command %s', (text, argv) => {
    expect(parseProposedCheck(text)).toEqual(argv)
  })

  test.each([
    '',
    '   ',
    'a && b',
    'a || b',
    'a | b',
    'a; b',
    'a & b',
    'a > b',
    'a < b',
    'a `b`',
    'a $HOME',
    'a $(b)',
    '(a)',
    'ls *.ts',
    'ls ?.ts',
    'a\nb',
    'a\tb',
    'a\u0000b',
    'a\u001B[31mb',
    '"unclosed',
    "a 'b",
    'a \\',
    'FOO=1 npm test',
    '# npm test',
    'npm test # all of them',
    'cat ~/x',
    '--help',
    '-c ls',
    '.',
    '..',
    '"" a',
    '"npm test"',
    `echo ${'x'.repeat(1_000)}`,
  ])('refuses what needs a shell or is no command: %j', (text) => {
    expect(parseProposedCheck(text)).toBeNull()
  })

  test.each([
    'Run the tests',
    'All tests pass',
    'npm test passes',
    'make sure the tests pass',
    'test that it works',
    'check the output',
    'file exists',
    'install the package',
    'open README, look',
    'tests are green.',
    'kill it',
    'sort works correctly',
    '`npm test`',
    '- npm test',
    'Führe Tests aus',
  ])('refuses prose: %s', (text) => {
    expect(parseProposedCheck(text)).toBeNull()
  })

  test('brings back any arguments that were quoted', () => {
    const quote = (word: string): string => `"${word.replace(/["\\$`]/g, '\\$&')}"`
    const word = fc.string({ maxLength: 30 }).filter((text) => !/\p{Cc}/u.test(text))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        expect(parseProposedCheck(['tool', ...words.map(quote)].join(' '))).toEqual(['tool', ...words])
      }),
    )
  })

  test('never yields an operator or a control character that was not quoted or escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const argv = parseProposedCheck(text)
        if (argv === null) return
        expect(argv.join(' ')).not.toMatch(/\p{Cc}/u)
        if (!/["'\\]/.test(text)) expect(argv.join(' ')).not.toMatch(/[|;<>&`$()*?]/)
      }),
      { numRuns: tries(1_000) },
    )
  })
})

test.each(['sh -c "printenv X | cat"', "bash -c 'a; b'", '/usr/bin/env', '/bin/sh x.sh', 'xargs rm', 'sudo make test'])(
  '%s would be a way around "no shell"',
  (text) => {
    expect(parseProposedCheck(text)).toBeNull()
  },
)
