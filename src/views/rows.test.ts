import { describe, expect, test } from 'vitest'
import { noPaint } from './paint.ts'
import { namedRows, wrap } from './rows.ts'

describe('rows', () => {
  const rows = [
    ['goal', 'short'],
    ['none', ''],
    ['rights', 'agents run any command with your rights'],
  ] as const

  test('go on below where they began, no wider than the terminal', () => {
    expect(namedRows(rows, noPaint, 32)).toEqual([
      'goal    short',
      'rights  agents run any command',
      '        with your rights',
    ])
  })

  test('are one line each where there is no terminal, and where it is too narrow', () => {
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
