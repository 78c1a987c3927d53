import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, levels, parseVersion, raise, versionText, type Level, type Version } from './version.ts'

const read = (text: string): Version => parseVersion(text)!

describe('versions', () => {
  test.each([
    '1',
    '1.2',
    'v1.2.3',
    '1.2.3.4',
    '01.2.3',
    '1.2.3-',
    '1.2.3+',
    '1.2.3-a..b',
    ' 1.2.3',
    '1.2.3\n',
    '',
    '1.2.x',
    `1.2.3-${'a'.repeat(100)}`,
    '9999999999.0.0',
  ])('%j is none', (text) => {
    expect(parseVersion(text)).toBeNull()
  })

  test('are ordered as semver.org says', () => {
    const order = [
      '0.0.1',
      '0.9.0',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ]
    for (const [i, a] of order.entries())
      for (const [j, b] of order.entries())
        expect(Math.sign(compareVersions(read(a), read(b))), `${a} ${b}`).toBe(Math.sign(i - j))
    expect(compareVersions(read('1.0.0+a'), read('1.0.0+b'))).toBe(0)
  })

  test.each<[string, Level, string]>([
    ['1.2.3', 'patch', '1.2.4'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'major', '2.0.0'],
    ['1.2.3-rc.1', 'patch', '1.2.3'],
    ['1.3.0-rc.1', 'minor', '1.3.0'],
    ['2.0.0-rc.1', 'major', '2.0.0'],
    ['1.2.3-rc.1', 'minor', '1.3.0'],
    ['1.2.0-rc.1', 'major', '2.0.0'],
    ['1.2.3+build.7', 'patch', '1.2.4'],
  ])('%s raised by %s is %s', (from, level, to) => {
    expect(versionText(raise(read(from), level))).toBe(to)
  })

  const part = fc.constantFrom('0', '1', '2', '10', 'a', 'rc', '1a', '-')
  const version = fc.record({
    major: fc.nat(20),
    minor: fc.nat(20),
    patch: fc.nat(20),
    pre: fc.array(part, { maxLength: 3 }),
    build: fc.constantFrom('', 'x.1'),
  })

  test('are read as they are written, in an order that is one, and raised upwards', () => {
    fc.assert(
      fc.property(version, version, version, fc.constantFrom(...levels), (a, b, c, level) => {
        expect(read(versionText(a))).toEqual(a)
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0)
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
        expect(compareVersions(raise(a, level), a)).toBeGreaterThan(0)
      }),
    )
  })
})
