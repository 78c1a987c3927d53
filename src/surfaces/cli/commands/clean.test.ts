import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import type { Cleaning } from '../../../views/history/cleaning.ts'

const row = { applied: false, discarded: false, bytes: 4_096 }
const cleaning: Cleaning = {
  dryRun: true,
  of: 'runs',
  failed: [],
  freedBytes: 4_096,
  totalBytes: 8_192,
  removed: [{ ...row, run: '001-a', status: 'failed', branch: null }],
  kept: [{ ...row, run: '002-b', status: 'paused', why: 'it can be resumed' }],
}
const nothing: Cleaning = { ...cleaning, removed: [], freedBytes: 0 }

test.each([
  [[], { keep: 10, age: null, all: false, turns: false }],
  [['--keep', '0'], { keep: 0, age: null, all: false, turns: false }],
  [['--age', '30d'], { keep: null, age: { ms: 30 * 86_400_000, text: '30d' }, all: false, turns: false }],
  [
    ['--age', '12h', '--keep', '3', '--all'],
    { keep: 3, age: { ms: 12 * 3_600_000, text: '12h' }, all: true, turns: false },
  ],
  [['--age', '2w', '--turns'], { keep: null, age: { ms: 14 * 86_400_000, text: '2w' }, all: false, turns: true }],
])('D10: looper clean %j', async (argv, request) => {
  expect((await call(['clean', '--dry-run', ...argv])).app?.asked.other).toEqual([['clean', request]])
})

test.each([
  [['--age', '30'], `--age takes hours, days or weeks like 12h, 30d or 2w, not '30'`],
  [['--age', '1m'], `--age takes hours, days or weeks like 12h, 30d or 2w, not '1m'`],
  [['--keep', 'all'], `--keep takes a whole number, not 'all'`],
])('looper clean %j: exit 2', async (argv, message) => {
  expect(await call(['clean', ...argv])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `looper: ${message}\n  Run \`looper clean --help\`.\n`,
  })
})

describe('D10: nothing goes without a yes', () => {
  const cleaned = (asked: readonly unknown[] | undefined): boolean => asked?.includes('cleaned') === true

  test('--dry-run shows and stops, for people and programs', async () => {
    const people = await call(['clean', '--dry-run'], { cleaning })
    expect(people).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^001-a .* would be removed\n002-b .* kept: it can be resumed\n\nWould remove 1 run: 4\.1 kB of 8\.2 kB\.\n$/,
      ) as string,
    })
    const programs = await call(['clean', '--dry-run', '--json'], { cleaning })
    expect(JSON.parse(programs.stdout)).toEqual(cleaning)
    expect([people, programs].map(({ app }) => cleaned(app?.asked.other))).toEqual([false, false])
  })

  test('nothing to remove: no question', async () => {
    expect(await call(['clean'], { cleaning: nothing })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Nothing to remove; 8.2 kB in use.') as string,
    })
  })

  test('without a terminal: shows what would be removed and the flag to add, exit 2', async () => {
    for (const argv of [['clean'], ['clean', '--json']]) {
      const { code, stdout, stderr, app } = await call(argv, { cleaning })
      expect(stdout).toBe((await call([...argv, '--dry-run'], { cleaning })).stdout)
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: 'looper: this needs confirmation, and there is no terminal\n  Add --yes to confirm.\n',
      })
      expect(cleaned(app?.asked.other)).toBe(false)
    }
  })

  test.each([
    ['y\n', 0, true],
    ['n\n', 1, false],
    ['', 1, false],
  ])('on a terminal, answered with %j', async (stdin, code, goes) => {
    const called = await call(['clean', '--no-color'], { cleaning, io: terminal({ tty: true, stdin }) })
    expect(called.code).toBe(code)
    expect(called.stderr).toContain('would be removed\n')
    expect(called.stderr).toContain('Remove 1 run (4.1 kB)? [y/N] ')
    expect(called.stdout).toBe(goes ? 'Removed 1 run: 4.1 kB of 8.2 kB.\n' : '')
    expect(cleaned(called.app?.asked.other)).toBe(goes)
  })

  test('--yes does not ask, and reports every run', async () => {
    expect(await call(['clean', '-y'], { cleaning })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('001-a  failed  4.1 kB  removed\n') as string,
    })
    expect(JSON.parse((await call(['clean', '--yes', '--json'], { cleaning })).stdout)).toEqual({
      ...cleaning,
      dryRun: false,
    })
  })

  test('a run that could not be removed: exit 1', async () => {
    const { code, stdout } = await call(['clean', '--yes'], {
      cleaning: { ...cleaning, failed: [{ run: '003-c', why: 'it is under way by now' }] },
    })
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('✗ 003-c stays: it is under way by now\n') as string,
    })
  })
})
