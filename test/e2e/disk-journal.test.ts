import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  branch,
  completes,
  expected,
  expectTwoLines,
  inRun,
  openProject,
  project,
  quick,
  run,
  useBrokenDisk,
} from '../kit/broken-disk.ts'
import { eventsSoFar, follow, go, held, killHard, landed, noting, survivors, treeOf } from '../kit/live.ts'
import { cooperative } from '../kit/project.ts'

useBrokenDisk()

describe('the journal', () => {
  async function crashedAtT002(): Promise<void> {
    openProject({ agent: `${noting} if (task === 'T002') await hold('coder')\n${cooperative}`, config: quick })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    await killHard(looper)
    go(project, 'coder')
  }
  const lines = (): string[] => readFileSync(inRun('events.jsonl'), 'utf8').trimEnd().split('\n')
  const replaceLine = (seq: number, change: (line: string) => string): void =>
    writeFileSync(
      inRun('events.jsonl'),
      lines()
        .map((line, index) => (index === seq - 1 ? change(line) : line))
        .join('\n') + '\n',
    )
  const lineOf = (predicate: (line: string) => boolean): number => lines().findIndex(predicate) + 1

  test.each<[string, (line: string) => string]>([
    ['a flipped letter', (line) => line.replace('"at":"2', '"at":"3')],
    ['a line that is gone', () => ''],
    ['half a line', (line) => line.slice(0, 20)],
    ['binary rubbish', () => '\u0000\uFFFD\u0001'],
  ])(
    '%s in the middle: refused with its number, repaired without deleting anything, then completed',
    async (_, change) => {
      await crashedAtT002()
      const damaged = lineOf((line) => line.includes('"id":"T002/a1/implement"'))
      expect(damaged).toBeGreaterThan(20)
      replaceLine(damaged - 1, change)
      const before = readFileSync(inRun('events.jsonl'))
      for (const words of [['status'], ['resume'], ['task', 'skip', 'T002'], ['report'], ['tail']]) {
        expectTwoLines(
          await project.looper(...words),
          1,
          new RegExp(`damaged at event ${damaged - 1}\\b`),
          /looper doctor --repair/,
        )
      }
      expect(readFileSync(inRun('events.jsonl'))).toEqual(before)
      expect(await project.looper('runs')).toMatchObject({ code: 0, stdout: expect.stringContaining(run) })
      expect(await project.looper('doctor')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`event ${damaged - 1}`),
      })
      const repaired = await project.looper('doctor', '--repair')
      expect(repaired).toMatchObject({ code: 0, stdout: expect.stringContaining('events.damaged-1.jsonl'), stderr: '' })
      expect(
        Buffer.concat([readFileSync(inRun('events.jsonl')), readFileSync(inRun('events.damaged-1.jsonl'))]),
      ).toEqual(before)
      expect(await project.looper('doctor')).toMatchObject({ code: 0 })
      await completes()
    },
  )

  test('damaged before work that has landed since: after the repair that work is neither lost nor in the way', async () => {
    await crashedAtT002()
    const damaged = lineOf((line) => line.includes('"task.started","task":"T001"'))
    replaceLine(damaged, (line) => line.replace('"wave":1', '"wave":9'))
    expectTwoLines(
      await project.looper('status'),
      1,
      new RegExp(`damaged at event ${damaged}\\b`),
      /looper doctor --repair/,
    )
    expect(await project.looper('doctor', '--repair')).toMatchObject({ code: 0 })
    await completes()
  })

  test('of a paused run, damaged in the part that its snapshot covers: refused all the same', async () => {
    openProject({ agent: `${noting} if (task === 'T002') await hold('coder')\n${cooperative}`, config: quick })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    looper.kill('SIGINT')
    await looper.ended
    expect(existsSync(inRun('state.json'))).toBe(true)
    const damaged = lineOf((line) => line.includes('"stop.requested"'))
    replaceLine(damaged, (line) => line.replace('"how":"stop"', '"how":"stap"'))
    for (const words of [['status'], ['resume']]) {
      expectTwoLines(
        await project.looper(...words),
        1,
        new RegExp(`damaged at event ${damaged}\\b`),
        /looper doctor --repair/,
      )
    }
    expect(await project.looper('doctor', '--repair')).toMatchObject({ code: 0 })
    go(project, 'coder')
    await completes()
  })

  test.each<[string, string[], 'stdout' | 'stderr']>([
    ['people', [], 'stdout'],
    ['programs', ['--json'], 'stderr'],
    ['those who want it quiet', ['--quiet'], 'stderr'],
  ])('with a torn end: cut, reported once to %s, and gone on', async (_, flags, stream) => {
    await crashedAtT002()
    appendFileSync(inRun('events.jsonl'), '{"seq":99,"at":"2026-01-01T00:00:00.000Z","type":"work.fini')
    expect(await project.status()).toMatchObject({ status: 'crashed' })
    const resumed = await project.looper('resume', ...flags)
    const line = "the journal's last 59 bytes were torn by a crash and have been cut\n"
    expect(resumed.code).toBe(0)
    expect(resumed[stream].split(line)).toHaveLength(2)
    if (stream === 'stderr') expect(resumed.stderr).toBe(line)
    if (flags.includes('--json'))
      for (const each of resumed.stdout.trimEnd().split('\n')) expect(JSON.parse(each)).toHaveProperty('seq')
    expect(treeOf(project, branch)).toBe(expected)
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expect(survivors(project)).toEqual([])
    expect(lines().every((line) => line.endsWith('}'))).toBe(true)
    expect(eventsSoFar(project).map(({ seq }) => seq)).toEqual(lines().map((_, index) => index + 1))
  })

  test('an invalid or missing snapshot has no effect', async () => {
    await crashedAtT002()
    writeFileSync(inRun('state.json'), '{"seq":')
    expect(await project.status()).toMatchObject({ status: 'crashed' })
    await completes()
    rmSync(inRun('state.json'))
    expect(await project.status()).toMatchObject({ status: 'completed' })
  })
})
