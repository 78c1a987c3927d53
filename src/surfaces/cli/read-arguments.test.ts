import { describe, expect, test } from 'vitest'
import { readArguments, type Flag } from './read-arguments.ts'

const flags: Flag[] = [
  { names: ['-f', '--follow'] },
  { names: ['-q'] },
  { names: ['-n', '--lines'], takes: 'value' },
  { names: ['--claude'], takes: 'maybe' },
  { names: ['--after'], takes: 'several' },
]
const nothing = { given: [], words: [], unknown: [], open: null, isMissing: false, isEnded: false }

/** `given` as `name` or `name=value`. */
function read(line: string) {
  const { given, open, ...more } = readArguments(flags, line === '' ? [] : line.split(' '))
  return {
    ...more,
    given: given.map(({ flag, value }) => [flag.names.at(-1), ...(value === null ? [] : [value])].join('=')),
    open: open?.names.at(-1) ?? null,
  }
}

describe('argv', () => {
  test.each<[string, Partial<ReturnType<typeof read>>]>([
    ['', {}],
    ['a b', { words: ['a', 'b'] }],
    ['a -f b', { words: ['a', 'b'], given: ['--follow'] }],
    ['--follow', { given: ['--follow'] }],
    ['-n 5 a', { given: ['--lines=5'], words: ['a'] }],
    ['-n5', { given: ['--lines=5'] }],
    ['-n=5', { given: ['--lines==5'] }],
    ['--lines 5', { given: ['--lines=5'] }],
    ['--lines=5', { given: ['--lines=5'] }],
    ['--lines=', { given: ['--lines='] }],
    ['--lines -f', { given: ['--lines=-f'] }],
    ['--lines --', { given: ['--lines=--'] }],
    ['-fq', { given: ['--follow', '-q'] }],
    ['-fn5 a', { given: ['--follow', '--lines=5'], words: ['a'] }],
    ['-fn 5 a', { given: ['--follow', '--lines=5'], words: ['a'] }],
    ['-fx', { given: ['--follow'], unknown: ['-x'] }],
    ['-xf', { unknown: ['-xf'] }],
    ['--follow=yes', { unknown: ['--follow=yes'] }],
    ['--foll a', { unknown: ['--foll'], words: ['a'] }],
    ['a -- -f --lines', { words: ['a', '-f', '--lines'], isEnded: true }],
    ['--', { isEnded: true }],
    ['- -3 -.5 -1e3', { words: ['-', '-3', '-.5', '-1e3'] }],
    ['-n', { open: '--lines', isMissing: true }],
    ['-f --lines', { given: ['--follow'], open: '--lines', isMissing: true }],
    ['--claude', { given: ['--claude'], open: '--claude' }],
    ['--claude x y', { given: ['--claude=x'], words: ['y'] }],
    ['--claude -f x', { given: ['--claude', '--follow'], words: ['x'] }],
    ['--claude -3', { given: ['--claude=-3'] }],
    ['--after', { open: '--after', isMissing: true }],
    ['--after x y', { given: ['--after=x', '--after=y'], open: '--after' }],
    ['--after x -f y', { given: ['--after=x', '--follow'], words: ['y'] }],
    ['--after x -- y', { given: ['--after=x'], words: ['y'], isEnded: true }],
    ['--after x --unknown y', { given: ['--after=x'], unknown: ['--unknown'], words: ['y'] }],
    ['--after=x y', { given: ['--after=x'], words: ['y'] }],
  ])('%s', (line, expected) => expect(read(line)).toEqual({ ...nothing, ...expected }))

  test('a text that begins with a dash looks like an option, whatever follows', () => {
    expect(readArguments(flags, ['-\n- one', '-n', '-\n']).unknown).toEqual(['-\n- one'])
  })
})
