import { describe, expect, test } from 'vitest'
import { noPaint } from './paint.ts'
import { namedRows, wrap, wrapLines } from './rows.ts'

describe('rows', () => {
  const rows = [
    ['goal', 'short'],
    ['none', ''],
    ['rights', 'agents run any command with your rights'],
  ] as const

  test('continue below their start, no wider than the terminal', () => {
    expect(namedRows(rows, noPaint, 32)).toEqual([
      'goal    short',
      'rights  agents run any command',
      '        with your rights',
    ])
  })

  test('are one line each without a terminal or on a terminal that is too narrow', () => {
    const whole = ['goal    short', 'rights  agents run any command with your rights']
    expect(namedRows(rows, noPaint, null)).toEqual(whole)
    expect(namedRows(rows, noPaint, 12)).toEqual(whole)
  })

  test('a word that is too long stays whole', () => {
    const long = 'x'.repeat(40)
    expect(wrap(`a ${long} b`, 30, 0)).toEqual(['a', long, 'b'])
    expect(wrap('漢字 漢字 漢字 漢字 漢字 漢字', 24, 0)).toEqual(['漢字 漢字 漢字 漢字 漢字', '漢字'])
  })
})

describe('G2: lines wrap at words', () => {
  test.each([
    ['plain words in one line', 24, ['plain words in one line']],
    ['  ✗ T001 · attempt one has failed', 24, ['  ✗ T001 · attempt one', '    has failed']],
    ['✓ done: all of it is green now', 24, ['✓ done: all of it is', '  green now']],
    ['  looper resume 14 continues it', 24, ['  looper resume 14', '  continues it']],
    [
      'one two three\n  ↻ four five six seven eight nine',
      24,
      ['one two three', '  ↻ four five six seven', '    eight nine'],
    ],
    [
      '\u001B[2m· the clock has jumped by an hour\u001B[22m',
      24,
      ['\u001B[2m· the clock has jumped', '  by an hour\u001B[22m'],
    ],
  ])('%j', (text, width, lines) => {
    expect(wrapLines(text, width).split('\n')).toEqual(lines)
  })

  test('beside what stands before them, and not at all without a terminal', () => {
    expect(wrapLines('✓ T001 is done with evidence that is green', 40, 13)).toBe(
      `✓ T001 is done with\n${' '.repeat(15)}evidence that is green`,
    )
    const long = 'word '.repeat(60).trim()
    expect(wrapLines(long, null)).toBe(long)
  })
})
