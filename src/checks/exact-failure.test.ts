import { describe, expect, it } from 'vitest'
import { exactFailure } from './exact-failure.ts'
import { failingTests } from './failing-tests.ts'
import { fingerprint } from './fingerprint.ts'

const inTask = (task: string, cwd: string): string =>
  [`TAP version 13`, `# Subtest: ${cwd}/${task}.test.js`, `not ok 1 - ${cwd}/${task}.test.js`, '1..1'].join('\n')
const missing = (file: string, cwd: string, ms: number): string =>
  `starting\nError: ENOENT: no such file or directory, open '${cwd}/${file}' after ${ms} ms\nexit`

describe('exactFailure', () => {
  it('distinguishes tests whose names differ by a digit, where fingerprints are equal', () => {
    const [one, two] = [inTask('T001', '/work/v1'), inTask('T002', '/work/v2')]
    expect(fingerprint(one, '/work/v1')).toBe(fingerprint(two, '/work/v2'))
    const exact = (text: string, cwd: string): string => exactFailure(text, failingTests(text, 1, cwd)?.failing, cwd)
    expect(exact(one, '/work/v1')).not.toBe(exact(two, '/work/v2'))
  })

  it('distinguishes lines that differ by a digit in a name or a short number', () => {
    const exact = (line: string): string => exactFailure(line, undefined, '/work/v1')
    expect(exact("Error: Cannot find module './lib-1.js'")).not.toBe(exact("Error: Cannot find module './lib-2.js'"))
    expect(exact('Error: part 1 has no key')).not.toBe(exact('Error: part 2 has no key'))
    expect(exact('Error: T001 has no key')).not.toBe(exact('Error: T002 has no key'))
  })

  it('is equal for the same failure in two folders, processes and times', () => {
    const exact = (cwd: string, ms: number): string => exactFailure(missing('a.env', cwd, ms), undefined, cwd)
    expect(exact('/work/v1', 12)).toBe(exact('/work/v2', 1_345))
    const at = (pid: number, clock: string): string =>
      exactFailure(`Error: process ${pid} was refused at ${clock}`, undefined, '/work')
    expect(at(12_345, '10:11:12')).toBe(at(99_876, '23:59:01'))
  })

  it('keeps the first names of many, and their number', () => {
    const names = Array.from({ length: 30 }, (_, n) => `test ${String(n).padStart(2, '0')}`)
    expect(exactFailure('', names, '/work')).toMatch(/^test 00\n[^]*test 19\nand 10 more$/)
    expect(exactFailure('', [...names, ...names], '/work')).toBe(exactFailure('', names.toReversed(), '/work'))
  })
})
