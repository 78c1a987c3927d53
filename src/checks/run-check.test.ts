import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CheckOutcome, CheckWork } from '../model/work.ts'
import { factsOf } from '../platform/process-identity.ts'
import { runCheck } from './run-check.ts'
import type { CheckRun } from './run-check.ts'

let cwd: string
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'looper-check-')))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const workOf = (run: CheckWork['run'], timeoutMs = 60_000): CheckWork => ({
  kind: 'check',
  id: 'T001/a1/check',
  workspace: 'T001',
  task: 'T001',
  name: 'test',
  run,
  timeoutMs,
  tree: null,
})
const check = (run: CheckWork['run'], given: Partial<CheckRun> = {}, signal?: AbortSignal): Promise<CheckOutcome> =>
  runCheck({ work: workOf(run), cwd, env: process.env, ...given }, signal)
const shell = (line: string, given?: Partial<CheckRun>, signal?: AbortSignal): Promise<CheckOutcome> =>
  check({ shell: line }, given, signal)
const script = (source: string): { argv: string[] } => ({ argv: [process.execPath, '-e', source] })

describe('runCheck', () => {
  test('F12: reports how a check ended and what it said', async () => {
    const outcome = await shell('echo "3 passed, 0 failed"; pwd')
    expect(outcome).toEqual({
      kind: 'check',
      exitCode: 0,
      started: true,
      timedOut: false,
      tests: 3,
      fingerprint: null,
      tail: `3 passed, 0 failed\n${cwd}`,
      durationMs: expect.any(Number),
    })
  })

  test.each([
    ['exit 3', 3],
    ['no-such-program-at-all', 127],
    ['./not-executable', 126],
  ])('keeps the exit code of %s', async (line, exitCode) => {
    writeFileSync(join(cwd, 'not-executable'), 'x', { mode: 0o644 })
    expect(await shell(line)).toMatchObject({
      exitCode,
      started: true,
      fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
    })
  })

  test('keeps both streams in the order in which they were written', async () => {
    const { tail } = await shell('for n in 1 2 3 4 5; do echo out $n; echo err $n >&2; done')
    expect(tail.split('\n')).toEqual([1, 2, 3, 4, 5].flatMap((n) => [`out ${n}`, `err ${n}`]))
  })

  test('gives an argument list to no shell', async () => {
    const outcome = await check({
      argv: [process.execPath, '-p', 'process.argv.slice(1).join("|")', '$HOME', '; echo x', '*', '`id`'],
    })
    expect(outcome).toMatchObject({ exitCode: 0, tail: '$HOME|; echo x|*|`id`' })
  })

  test.each([[['no-such-program-at-all']], [['']], [[]], [['echo', 'a\0b']]])(
    'says when a check cannot be started: %j',
    async (argv) => {
      const outcome = await check({ argv })
      expect(outcome).toMatchObject({ started: false, exitCode: null, timedOut: false, tests: null })
      expect(outcome.tail).not.toBe('')
    },
  )

  test('says when the folder is gone', async () => {
    expect(await shell('true', { cwd: join(cwd, 'gone') })).toMatchObject({
      started: false,
      tail: `the folder ${cwd}/gone does not exist`,
    })
  })

  test('ends what takes too long, with all it started', async () => {
    const slow = (line: string): Promise<CheckOutcome> =>
      runCheck({ work: workOf({ shell: line }, 1_500), cwd, env: process.env })
    const outcome = await slow('sleep 600 & echo $! > pids; echo $$ >> pids; sleep 600')
    expect(outcome).toMatchObject({ timedOut: true, exitCode: null, started: true })
    const pids = readFileSync(join(cwd, 'pids'), 'utf8').trim().split('\n').map(Number)
    expect(pids).toHaveLength(2)
    await vi.waitUntil(() => pids.every((pid) => factsOf(pid)?.zombie !== false), { timeout: 120_000 })
    expect((await slow('echo something else; sleep 600')).fingerprint).toBe(outcome.fingerprint)
  })

  test('ends when asked to', async () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 50)
    expect(await shell('sleep 600', {}, abort.signal)).toMatchObject({ exitCode: null, timedOut: false })
  })

  test('has null for the exit code of a check that a signal ended', async () => {
    expect(await check(script('process.kill(process.pid, "SIGKILL")'))).toMatchObject({ exitCode: null, started: true })
  })

  test('keeps the end of a flood, as plain text', async () => {
    const outcome = await check(
      script(String.raw`
      for (let i = 0; i < 100_000; i++) console.log('line', i, 'x'.repeat(100))
      process.stdout.write('\x1b[31mred\x1b[0m\r\n\x1b]0;title\x07\x9b2J\u202eend😀\n')
    `),
    )
    expect(outcome.exitCode).toBe(0)
    expect(outcome.tail.length).toBeLessThanOrEqual(4_000)
    expect(outcome.tail).toMatch(/\nline 99999 x+\nred\nend😀$/)
    expect(outcome.tail).not.toMatch(/(?!\n)\p{Cc}/u)
  })

  test('writes the whole output to a log that only the user can read', async () => {
    const logFile = join(cwd, 'logs', 'check.log')
    await shell('seq 1 5000', { logFile })
    await shell('seq 1 4000; echo no >&2', { logFile })
    expect(readFileSync(logFile, 'utf8').split('\n')).toEqual([
      ...Array.from({ length: 4_000 }, (_, n) => String(n + 1)),
      'no',
      '',
    ])
    expect(statSync(logFile).mode & 0o777).toBe(0o600)
  })

  test('survives a log that cannot be written', async () => {
    writeFileSync(join(cwd, 'file'), '')
    expect(await shell('echo fine', { logFile: join(cwd, 'file', 'check.log') })).toMatchObject({
      exitCode: 0,
      tail: 'fine',
    })
  })

  test('hides secrets in what the check prints', async () => {
    const logFile = join(cwd, 'check.log')
    const mask = (text: string): string => text.replaceAll('hunter2', '[MY_TOKEN]')
    const { tail } = await shell('printf "hun\\033[0mter2"', { mask, logFile })
    expect(tail).toBe('[MY_TOKEN]')
    expect(readFileSync(logFile, 'utf8')).not.toContain('hunter2')
  })

  test('says when a failure names a variable that the check does not see', async () => {
    const withheld = ['DATABASE_URL', 'OTHER_THING']
    const [failed, other, fine] = [
      await shell('echo "DATABASE_URL is not set"; exit 1', { withheld }),
      await shell('echo "NO_DATABASE_URL"; exit 1', { withheld }),
      await shell('echo "DATABASE_URL is not set"', { withheld }),
    ]
    expect(failed.tail.split('\n')).toEqual([
      'DATABASE_URL is not set',
      expect.stringMatching(
        /^\[looper\] DATABASE_URL is set in your environment and not passed on: add it to "checks\[\]\.pass"/,
      ),
    ])
    expect([other.tail, fine.tail]).toEqual(['NO_DATABASE_URL', 'DATABASE_URL is not set'])
    expect(failed.fingerprint).toBe((await shell('echo "DATABASE_URL is not set"; exit 1')).fingerprint)
  })

  test('gives the check variables: alone, without colors, and marked', async () => {
    const env = { PATH: process.env['PATH'] }
    const { tail } = await shell('echo $CI $NO_COLOR $FORCE_COLOR $LOOPER_INSIDE $LOOPER_MARK', { mark: 'm:1', env })
    expect(tail).toBe('true 1 0 1 m:1')
  })

  test('gives nothing to read on stdin', async () => {
    expect(await shell('cat; echo done')).toMatchObject({ exitCode: 0, tail: 'done' })
  })

  test('knows one failure in two folders by the same fingerprint, and another by another', async () => {
    const fail = (message: string): Promise<CheckOutcome> =>
      check(script(`throw new Error(['${message}', process.cwd(), process.pid, new Date().toISOString()].join(' '))`))
    const one = await fail('boom')
    rmSync(cwd, { recursive: true })
    cwd = realpathSync(mkdtempSync(join(tmpdir(), 'looper check ')))
    expect(one.exitCode).toBe(1)
    expect((await fail('boom')).fingerprint).toBe(one.fingerprint)
    expect((await fail('bang')).fingerprint).not.toBe(one.fingerprint)
    expect((await shell('exit 1')).fingerprint).not.toBe(one.fingerprint)
  })

  test('F12: counts the tests of a real runner', async () => {
    const test = (source: string): string => `import test from 'node:test'\n${source}`
    writeFileSync(join(cwd, 'a.test.mjs'), test("test('a', () => {})\ntest('b', () => {})\ntest.skip('c', () => {})"))
    expect(await shell('node --test a.test.mjs')).toMatchObject({ exitCode: 0, tests: 2 })
    writeFileSync(join(cwd, 'a.test.mjs'), test(''))
    expect(await shell('node --test a.test.mjs')).toMatchObject({ exitCode: 0, tests: 0 })
    writeFileSync(join(cwd, 'a.test.mjs'), test("test('a', () => { throw new Error('no') })"))
    expect(await shell('node --test a.test.mjs')).toMatchObject({ exitCode: 1, tests: 1 })
  })
})
