import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import {
  abortedRun,
  brokenOffRun,
  completedRun,
  failedRun,
  hostileRun,
  limitedRun,
  stoppedRun,
  unverifiedRun,
} from '../../../../test/kit/runs.ts'
import { LooperError } from '../../../api/error.ts'
import { encodeEvent } from '../../../journal/line.ts'

describe('what a person sees', () => {
  test('the card, calm lines, the summary', async () => {
    const { code, stdout, stderr, app } = await call(['run', 'do it'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(app?.asked.run).toEqual([{ goal: 'do it', flags: {}, apply: false }])
    expect(stdout).toMatch(/^goal {4}do it\n[^]*rights {2}agents run any command[^]*\n\n▶ 001-x/)
    expect(stdout).toMatch(/● T001 T001 · attempt 1[^]*✓ T001 done · 1 check green/)
    expect(stdout).toMatch(/\n\nrun {5}001-x\nstate {3}completed\ntasks {3}2 of 2 done\n/)
    expect(stdout).toMatch(/\nproof {3}2 tasks verified \(test\)\nspent {3}9 turns · 25 s\n/)
    expect(stdout).toMatch(/\nnext\n {2}looper report 1[^]*looper apply 1[^]*looper discard 1 .*\n$/)
    expect(stdout.match(/completed/g)).toHaveLength(1)
  })

  test('--quiet leaves the summary', async () => {
    const { stdout } = await call(['run', 'do it', '-q'])
    expect(stdout).toMatch(/^\nrun {5}001-x\n/)
    expect(stdout).not.toContain('▶')
  })

  test('--dry-run stops at the card, for people and for programs', async () => {
    const started = {
      before: () => {
        throw new Error('the run was started')
      },
    }
    const dry = await call(['run', 'do it', '--dry-run'], started)
    expect(dry.code).toBe(0)
    expect(dry.stdout).toMatch(/^goal {4}do it\n[^]*rights .*\n$/)
    const json = await call(['run', 'do it', '--dry-run', '--json'], started)
    expect(JSON.parse(json.stdout)).toMatchObject({ goal: 'do it', checks: { list: [{ name: 'test' }] } })
  })

  test('warnings go to stderr, harmless', async () => {
    const { stdout, stderr } = await call(['run', 'do it'], { warnings: ['LOOPER_PARALEL is\u001B[2J unknown'] })
    expect(stderr).toBe('! LOOPER_PARALEL is unknown\n')
    expect(stdout).not.toContain('PARALEL')
  })

  test('unverified work is called so', async () => {
    const { stdout } = await call(['run', 'do it'], { played: unverifiedRun() })
    expect(stdout).toContain('checks  none: everything will be unverified')
    expect(stdout).toMatch(/\nstate {3}completed · unverified\n/)
    expect(stdout).toMatch(/\nproof {3}2 tasks unverified\n/)
  })

  test('a pause shows why and what to do', async () => {
    const { stdout } = await call(['run', 'do it'], { played: limitedRun() })
    expect(stdout).toMatch(/\nstate {3}paused · .*turn.*\n/)
    expect(stdout).toContain('looper resume 1')
  })

  test('the report is named where it is, near if it can be', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'looper-run-'))
    const dir = join(folder, '.looper', 'runs', '001-x')
    const place = async (cwd: string): Promise<string | undefined> =>
      (await call(['run', 'do it', '-q'], { dir, io: terminal({ cwd }) })).stdout
        .match(/\n(report|folder) {2}(.*)\n/)
        ?.slice(1)
        .join(' ')
    try {
      mkdirSync(dir, { recursive: true })
      expect(await place(folder)).toBe('folder .looper/runs/001-x')
      writeFileSync(join(dir, 'report.md'), '')
      expect(await place(folder)).toBe('report .looper/runs/001-x/report.md')
      expect(await place('/nowhere')).toBe(`report ${dir}/report.md`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('--apply: shows the result, and no hint to apply', async () => {
    const { code, stdout, app } = await call(['run', 'do it', '--apply'], {
      applied: { ok: true, message: 'merged into main' },
    })
    expect(code).toBe(0)
    expect(app?.asked.run[0]?.apply).toBe(true)
    expect(stdout).toContain('applied yes: merged into main\n')
    expect(stdout).not.toMatch(/looper (?:apply|discard) 001-x/)
  })
})

describe('exit codes show how the run ended', () => {
  test.each([
    ['completed', completedRun, 0],
    ['failed', failedRun, 1],
    ['aborted', abortedRun, 1],
    ['paused by a limit', limitedRun, 3],
    ['paused by the user', stoppedRun, 130],
    ['broken off', brokenOffRun, 130],
  ])('%s', async (_name, played, code) => {
    for (const argv of [
      ['run', 'do it'],
      ['run', 'do it', '--json'],
      ['do it', '-q'],
      ['resume'],
      ['demo'],
      ['demo', '--json'],
    ]) {
      expect(await call(argv, { played: played() })).toMatchObject({ code })
    }
  })

  test('completed, but --apply failed', async () => {
    const applied = { ok: false, message: 'your branch has moved' }
    const { code, stdout } = await call(['run', 'do it', '--apply'], { applied })
    expect(code).toBe(1)
    expect(stdout).toContain('applied no: your branch has moved\n')
    expect(await call(['run', 'do it', '--apply'], { applied, played: limitedRun() })).toMatchObject({ code: 3 })
  })

  test('an error in the middle', async () => {
    const before = (event: { seq: number }): void => {
      if (event.seq === 5) throw new LooperError('ENVIRONMENT_DISK_FULL', 'no space left')
    }
    const { code, stderr } = await call(['run', 'do it'], { before })
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^looper: no space left\n {2}Free some space/),
    })
  })
})

test('--json prints exactly the events, each on a line, and nothing else', async () => {
  const played = hostileRun()
  const { stdout, stderr } = await call(['run', 'do it', '--json'], { played, io: terminal({ tty: true }) })
  expect(stdout.trimEnd().split('\n')).toEqual(played.events.map(encodeEvent))
  expect(stderr).toBe('')
})

test('no control character of an agent reaches the terminal', async () => {
  const { stdout } = await call(['run', 'do it', '--no-color'], { played: hostileRun() })
  expect(stdout).toContain('T001 nice FAKE ✓ done')
  // eslint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
  expect(stdout).not.toMatch(/^FAKE/m)
})

test('a reader that goes away does not end the run', async () => {
  const io = terminal()
  let last = 0
  const before = ({ seq }: { seq: number }): void => {
    last = seq
    if (seq === 3)
      (io.stdout as unknown as NodeJS.EventEmitter).emit(
        'error',
        Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
      )
  }
  const played = completedRun()
  const { code, stdout } = await call(['run', 'do it'], { io, before, played })
  expect({ code, last }).toEqual({ code: 0, last: played.events.length })
  expect(stdout).not.toContain('planning')
})

test('demo: says where, and shows the rest like a run', async () => {
  const { stdout } = await call(['demo'])
  expect(stdout).toMatch(/^A demo in \/tmp\/demo\. [^]*✓ T001 done[^]*state {3}completed/)
  expect(stdout).toMatch(/\nThese commands work in the repository of the demo:\n {2}cd \/tmp\/demo\n$/)
})

test('resume: A9 an unknown run is refused', async () => {
  expect(await call(['resume', '999'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('there is no run "999"'),
  })
})
