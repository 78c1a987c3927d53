/** Bounds that hold without an engine: after kill -9 of the engine its agents are still ended by their limits, and resume goes on. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { cooperative, createProject, type Project } from '../kit/project.ts'
import { ownAgent } from '../kit/outside.ts'
import {
  eventsSoFar, failures, follow, go, gone, held, isRunning, keepers, killHard, killStranger, landed, noting, pidOf, removeAll,
  survivors, until, type Process,
} from '../kit/live.ts'

const branch = 'looper/001-make-two-files'
const quick = { review: false, checks: ['true'] }
const turn = 'T001/a1/implement'

let project: Project
afterEach(() => removeAll(project))

/** The first coder does its misdeed once the test lets it, and never ends by itself; later ones cooperate. */
const misbehaving = (misdeed: string): string => `${noting}
if (env.LOOPER_TURN === '${turn}') { await hold('coder'); ${misdeed}; await sleep(1e9) }
${cooperative}`

interface Scene {
  misdeed?: string
  agent?: Record<string, unknown>
  config?: Record<string, unknown>
}

/** A run whose first coder waits for the test. */
async function begin({ misdeed = '', agent = {}, config = {} }: Scene): Promise<Process> {
  project = createProject({ agent: misbehaving(misdeed) })
  project.configure({ ...quick, ...config, agent: 'test', agents: { test: { ...ownAgent(project), ...agent } } })
  const looper = follow(project.start('run', 'make two files'))
  await held(project, 'coder')
  await until('a keeper', () => keepers(project).length === 1)
  return looper
}

const endedFile = (): string => join(project.root, '.looper/runs/last/turns', turn.replaceAll('/', '.'), 'ended.json')
const endedWhy = (): unknown => (JSON.parse(readFileSync(endedFile(), 'utf8')) as { why: unknown }).why

/** The agent is ended by the keeper alone, and the keeper ends after it. */
async function endsByItself(): Promise<void> {
  await gone(pidOf(project, turn))
  await until('the end of the keeper', () => keepers(project).length === 0)
  expect(survivors(project)).toEqual([])
}

async function resumes(...words: string[]): Promise<void> {
  expect(await project.looper('resume', ...words)).toMatchObject({ code: 0, stderr: '' })
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(survivors(project)).toEqual([])
  await until('the end of the keeper', () => keepers(project).length === 0)
}

/** What the journal says about the end of the first coder's turn. */
const errorOf = (): unknown => eventsSoFar(project).flatMap((event) =>
  (event.type === 'work.finished' && event.id === turn && event.outcome.kind === 'turn' && event.outcome.status === 'error'
    ? event.outcome.error.kind : []))

describe('after kill -9 of the engine, an agent that', () => {
  test.each<[string, Scene, string, string]>([
    ['never ends', { agent: { timeoutMinutes: 0.05 } }, 'timeout', 'timeout'],
    ['says nothing any more', { agent: { stallSeconds: 2 } }, 'stalled', 'stalled'],
    [
      'floods its output', { misdeed: `const flood = Buffer.alloc(1 << 20, 'x'); for (;;) fs.writeSync(1, flood)` },
      'flooded', 'bad_response',
    ],
    [
      'fills the disk',
      { misdeed: `const block = Buffer.alloc(1 << 20, 'x'); for (let i = 0; i < 40; i++) fs.appendFileSync('big', block)`, config: { limits: { diskMb: 20 } } },
      'disk', 'bad_response',
    ],
  ])('%s is ended by its bound, and resume classifies it', { timeout: 180_000 }, async (_, scene, why, kind) => {
    await killHard(await begin(scene))
    go(project, 'coder')
    await endsByItself()
    expect(endedWhy()).toBe(why)
    await resumes(...(why === 'disk' ? ['--disk-mb', 'none'] : []))
    expect(errorOf()).toEqual([kind])
  })
})

describe('a terminal that is closed', () => {
  const begin = async (config: Record<string, unknown>): Promise<void> => {
    project = createProject({ agent: `${noting} if (task === 'T001') await hold('coder')\n${cooperative}`, config: { ...quick, ...config } })
    const terminal = follow(project.startOnTerminal('run', 'make two files'))
    await held(project, 'coder')
    await until('the run on the screen', () => terminal.stdout().includes('T001'))
    await killHard(terminal)
  }

  test('leaves the run going in the background, where it can be attached to', async () => {
    await begin({})
    const attached = follow(project.start('attach'))
    await until('what has happened', () => attached.stdout().includes('T001'))
    go(project, 'coder')
    expect(await attached.ended).toMatchObject({ code: 0, stderr: '' })
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expect(survivors(project)).toEqual([])
    await until('the end of the keeper', () => keepers(project).length === 0)
  })

  test('stops the run where the configuration says so', async () => {
    await begin({ onHangup: 'stop' })
    await until('the pause', () => eventsSoFar(project).some(({ type }) => type === 'run.paused'))
    await gone(pidOf(project, turn))
    expect(await project.status()).toMatchObject({ status: 'paused', reason: 'stopped by the user' })
    go(project, 'coder')
    await resumes()
  })
})
