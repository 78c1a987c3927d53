import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { bdProgram, createBeadsProject, type BeadsProject } from '../../../test/kit/beads-project.ts'
import { LooperError } from '../../model/error.ts'
import type { TaskStore } from '../../model/source.ts'
import { createBeadsStore, sessionLabel, type BeadsOptions } from './store.ts'

const at = '2026-03-01T10:00:00.000Z'

let project: BeadsProject
afterEach(() => project.remove())

function open(
  issues: readonly Record<string, unknown>[],
  env: Record<string, string> = {},
  more: Partial<BeadsOptions> = {},
): TaskStore {
  project = createBeadsProject(issues)
  return createBeadsStore({
    root: project.root,
    program: bdProgram,
    label: sessionLabel('auth'),
    env: { ...process.env, BD_LOG: join(project.root, 'log'), ...env },
    ...more,
  })
}

async function errorOf(doing: Promise<unknown>): Promise<LooperError> {
  const error = await doing.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(LooperError)
  return error as LooperError
}

describe('outages', () => {
  test.each([
    ['is not installed', {}, { program: '/nowhere/bd' }, 'ENVIRONMENT_SOURCE', /cannot be started/, /Install beads/],
    [
      'does not end',
      { BD_TROUBLE: 'slow' },
      { timeoutMs: 300 },
      'ENVIRONMENT_SOURCE',
      /bd.js ready did not end within 1 s/,
      /bd doctor/,
    ],
    [
      'is locked out for long',
      { BD_TROUBLE: 'locked' },
      { patienceMs: 300 },
      'ENVIRONMENT_SOURCE',
      /database is locked/,
      /Another bd process holds/,
    ],
    ['is killed', { BD_TROUBLE: 'dies' }, {}, 'ENVIRONMENT_SOURCE', /ended by a signal/, /looper resume/],
    ['floods', { BD_TROUBLE: 'flood' }, {}, 'ENVIRONMENT_SOURCE', /more than 64 MB/, /Prune/],
    [
      'says no in colors',
      { BD_TROUBLE: 'hostile' },
      {},
      'ENVIRONMENT_SOURCE',
      /^bd ready: no way second line$/,
      /looper resume/,
    ],
    ['prints garbage', { BD_TROUBLE: 'garbage' }, {}, 'CONFIG_BACKLOG', /not JSON: line 1/, /bd list --json/],
    [
      'prints nonsense',
      { BD_TROUBLE: 'nonsense' },
      {},
      'CONFIG_BACKLOG',
      /cannot be understood, as number 1/,
      /bd version/,
    ],
  ] as const)('a bd that %s', async (_, env, more, code, message, hint) => {
    const store = open([{}], env, more)
    const error = await errorOf(store.list())
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), hint: expect.stringMatching(hint) })
    expect(error.message).not.toMatch(/[\u0000-\u001F]/)
  })

  test('a place without a database', async () => {
    project = createBeadsProject([])
    const error = await errorOf(createBeadsStore({ root: '/', program: bdProgram, label: null }).list())
    expect(error).toMatchObject({ code: 'ENVIRONMENT_SOURCE', hint: expect.stringContaining('bd init') })
  })

  test('waits for a database that is busy for a moment', async () => {
    const store = open([{}], { BD_TROUBLE: 'locked-first:3' })
    expect(await store.claim('bd-1', 'run-1', at)).toBe(true)
  })

  test('continues when bd is back', async () => {
    const env: Record<string, string> = { ...process.env, BD_TROUBLE: 'locked' }
    project = createBeadsProject([{}])
    const store = createBeadsStore({ root: project.root, program: bdProgram, label: 'loop/auth', env, patienceMs: 100 })
    await errorOf(store.list())
    await errorOf(store.claim('bd-1', 'run-1', at))
    delete env['BD_TROUBLE']
    expect(await store.list()).toHaveLength(1)
    expect(await store.claim('bd-1', 'run-1', at)).toBe(true)
  })
})
