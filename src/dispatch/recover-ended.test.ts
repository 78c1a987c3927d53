import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LeftWork } from './dispatch.ts'
import type { TurnWork } from '../model/work.ts'
import { writePlainFile } from '../platform/plain-file.ts'
import { markOf, markVariable } from '../platform/mark.ts'
import { bootId, identityOf } from '../platform/process-identity.ts'
import { createFixture, shell, turnId, type Fixture } from '../../test/kit/dispatch.ts'
import { createFolder, writeProcess } from './turn-folder.ts'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

const left = (agent = 'mine', change: Partial<TurnWork> = {}): LeftWork => {
  const { work, starts, cwd } = fixture.request(agent, change)
  return { work, starts, cwd }
}

describe('a turn that ended meanwhile', () => {
  const leave = (write: () => void): void => {
    createFolder(fixture.folder())
    writePlainFile(fixture.folder().prompt, 'Do it, with swordfish.')
    writeProcess(fixture.folder(), {
      pid: 2 ** 22 + 1,
      startTime: '1',
      bootId: bootId(),
      startedAt: new Date(Date.now() - 60_000).toISOString(),
    })
    write()
  }
  const recovered = async () => {
    const dispatch = fixture.create({ agents: { mine: shell('true', { env: { MY_TOKEN: 'swordfish' } }) } })
    await dispatch.recover([left()])
    return dispatch.inspect([turnId]).get(turnId)
  }

  test('with an answer in its file is done, as long as it wrote', async () => {
    leave(() => {
      writePlainFile(fixture.folder().stream, '{"type":"usage","inputTokens":4}\n')
      writePlainFile(fixture.folder().result, '{"status":"complete","summary":"swordfish"}')
      const { atimeMs } = statSync(fixture.folder().result)
      for (const path of [fixture.folder().result, fixture.folder().stream])
        utimesSync(path, atimeMs / 1_000, Date.now() / 1_000 - 30)
    })
    const state = await recovered()
    expect(state).toMatchObject({
      state: 'done',
      outcome: { status: 'ok', result: { status: 'complete', summary: '[MY_TOKEN]' }, usage: { inputTokens: 4 } },
    })
    const durationMs = state?.state === 'done' && state.outcome.kind !== 'failure' ? state.outcome.durationMs : 0
    expect(durationMs).toBeGreaterThan(25_000)
    expect(readFileSync(fixture.folder().result, 'utf8')).not.toContain('swordfish')
    expect(readFileSync(fixture.folder().prompt, 'utf8')).toBe('Do it, with [MY_TOKEN].')
  })

  test('with an answer on stdout is done', async () => {
    leave(() => writePlainFile(fixture.folder().stream, 'words\n{"status":"blocked"}'))
    expect(await recovered()).toMatchObject({ state: 'done', outcome: { status: 'ok', result: { status: 'blocked' } } })
  })

  test.each([
    ['nothing', ''],
    ['half an answer', '{"status":"comp'],
    ['a line of a log', '{"level":"info"}\n'],
    ['an error', '{"type":"error","kind":"network"}\n'],
  ])('with %s is lost', async (_, text) => {
    leave(() => writePlainFile(fixture.folder().stream, text))
    expect(await recovered()).toMatchObject({ state: 'lost', why: 'the agent ended unseen, without an answer' })
  })

  test('without an answer has the usage that it reported', async () => {
    leave(() => writePlainFile(fixture.folder().stream, '{"type":"usage","inputTokens":4,"costUsd":0.5}\n'))
    expect(await recovered()).toMatchObject({ state: 'lost', usage: { inputTokens: 4, outputTokens: 0, costUsd: 0.5 } })
  })

  test.runIf(process.platform === 'linux')('is not mistaken for a program that it left behind', async () => {
    leave(() => {
      rmSync(fixture.folder().process)
      writePlainFile(fixture.folder().stream, '')
      writePlainFile(fixture.folder().result, '{"status":"complete","summary":"done"}')
    })
    const env = { ...process.env, [markVariable]: markOf(fixture.key, turnId, 1) }
    const child = spawn('sleep', ['600'], { env, detached: true, stdio: 'ignore' })
    await expect.poll(() => fixture.alive(), { timeout: 120_000 }).toEqual([child.pid])
    expect(await recovered()).toMatchObject({ state: 'done', outcome: { status: 'ok' } })
    expect(fixture.alive()).toEqual([])
  })

  test('is not mistaken for a process that got its pid', async () => {
    leave(() =>
      writeProcess(fixture.folder(), {
        ...identityOf(process.pid)!,
        startTime: '1',
        startedAt: new Date().toISOString(),
      }),
    )
    expect(await recovered()).toMatchObject({ state: 'lost' })
  })

  test('is not mistaken for a process that cannot be one of ours, however well its record describes it', async () => {
    // A child of this process is in our group, so it leads none.
    const stranger = spawn('sleep', ['60'])
    try {
      for (const pid of [1, process.pid, stranger.pid!]) {
        leave(() => writeProcess(fixture.folder(), { ...identityOf(pid)!, startedAt: new Date().toISOString() }))
        expect(await recovered()).toMatchObject({ state: 'lost' })
      }
    } finally {
      stranger.kill()
    }
  })

  test.each<[string, (path: string, victim: string) => void]>([
    ['a link', (path, victim) => symlinkSync(victim, path)],
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
  ])('that left %s in the place of its files is lost, and nothing is read or written through it', async (_, plant) => {
    const victim = join(fixture.runDir, 'victim')
    writeFileSync(victim, '{"status":"complete"}')
    for (const name of ['stream', 'stderr', 'result', 'outbox', 'process', 'prompt'] as const) {
      leave(() => {
        rmSync(fixture.folder()[name], { force: true })
        plant(fixture.folder()[name], victim)
      })
      expect(await recovered()).toMatchObject({ state: 'lost' })
    }
    expect(readFileSync(victim, 'utf8')).toBe('{"status":"complete"}')
  })

  test('that never had a folder is lost', async () => {
    expect(await recovered()).toMatchObject({ state: 'lost' })
  })

  test('of an agent that is no longer configured is lost', async () => {
    const dispatch = fixture.create()
    await dispatch.recover([left('gone')])
    expect(dispatch.inspect([turnId]).get(turnId)).toEqual({ state: 'lost', why: 'the engine that did it is gone' })
  })
})
