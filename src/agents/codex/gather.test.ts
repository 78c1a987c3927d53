import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { gather } from './gather.ts'
import { digestRollout } from './rollout.ts'

const home = mkdtempSync(join(tmpdir(), 'looper-codex-'))
afterAll(() => rmSync(home, { recursive: true }))
const folder = join(home, '.codex', 'sessions', '2026', '11', '15')
mkdirSync(folder, { recursive: true })

/** A session that began on 2026-11-15 at 23:38:38 UTC. */
const id = '01a1e193-bd2d-7d33-9564-4d3473c77081'
const other = (last: string) => id.slice(0, -1) + last
const write = (session: string, lines: readonly unknown[]) =>
  writeFileSync(
    join(folder, `rollout-2026-11-15T23-38-38-${session}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )

const at = '2026-11-15T23:38:38.478Z'
const event = (payload: object, timestamp = at) => ({ timestamp, type: 'event_msg', payload })
const context = { timestamp: at, type: 'turn_context', payload: { model: 'gpt-5.5', cwd: '/w' } }
const counts = (primary: object | null, secondary: object | null = null, plan_type: string | null = null) =>
  event({
    type: 'token_count',
    rate_limits: { primary, secondary, plan_type },
    info: {
      total_token_usage: { input_tokens: 2_000, cached_input_tokens: 800, output_tokens: 30, total_tokens: 2_030 },
    },
  })
const full = { used_percent: 100, window_minutes: 300, resets_at: 1_794_789_918 }
const failed = (codex_error_info: unknown) =>
  event({ type: 'task_complete', error: { message: 'x', codex_error_info } })

const found = async (session: string, env: Record<string, string> = { HOME: home }) => {
  const text = await gather({ env, sessionId: session })
  return text === null ? null : digestRollout(text, at)
}

describe('the file of a session (F1)', () => {
  test('reports the model, the limit to the second, the code of the error and what was consumed', async () => {
    const item = { timestamp: at, type: 'response_item', payload: { type: 'message', text: 'long' } }
    write(id, [context, item, counts(full), failed('usage_limit_exceeded')])
    const expected = {
      at,
      model: 'gpt-5.5',
      plan: null,
      resetsAt: '2026-11-16T00:45:18.000Z',
      consumed: { input: 2_000, cachedInput: 800, output: 30 },
      error: { code: 'usage_limit_exceeded', status: null },
      quotas: [{ name: 'five_hour', used: 1, resetsAt: '2026-11-16T00:45:18.000Z' }],
    }
    expect(await found(id)).toEqual(expected)
    expect(await found(id, { HOME: '/nowhere', CODEX_HOME: join(home, '.codex') })).toEqual(expected)
  })

  test('of two limits that are reached the later one counts, of others none', () => {
    const later = { ...full, resets_at: full.resets_at + 60 }
    const read = (line: object) => digestRollout(JSON.stringify(line), at)
    expect(read(counts(full, later)).resetsAt).toBe('2026-11-16T00:46:18.000Z')
    expect(read(counts(full, { ...later, used_percent: 7 })).resetsAt).toBe('2026-11-16T00:45:18.000Z')
    expect(read(counts({ ...full, used_percent: 99.9 })).resetsAt).toBeNull()
    expect(read(counts(null, null, 'plus')).plan).toBe('plus')
  })

  test('reports how much of each window is used, reached or not', () => {
    const week = { used_percent: 7, window_minutes: 10_080, resets_at: full.resets_at }
    expect(digestRollout(JSON.stringify(counts({ ...full, used_percent: 50 }, week)), at).quotas).toEqual([
      { name: 'five_hour', used: 0.5, resetsAt: '2026-11-16T00:45:18.000Z' },
      { name: 'seven_day', used: 0.07, resetsAt: '2026-11-16T00:45:18.000Z' },
    ])
    expect(
      digestRollout(JSON.stringify(counts({ used_percent: 3, window_minutes: 7 }, { used_percent: 'x' })), at).quotas,
    ).toEqual([{ name: 'primary', used: 0.03, resetsAt: null }])
  })

  test('the end of an earlier turn of the session is ignored', () => {
    const text = [failed('usage_limit_exceeded'), counts(full)].map((line) => JSON.stringify(line)).join('\n')
    const later = '2026-11-15T23:39:00.000Z'
    expect(digestRollout(text, later)).toMatchObject({
      at: null,
      error: null,
      resetsAt: null,
      consumed: { input: 2_000 },
    })
    const again = JSON.stringify(event({ type: 'task_started' }, later))
    expect(digestRollout(`${text}\n${again}`, later)).toMatchObject({ at: later, error: null, resetsAt: null })
  })

  test('of a long one only the end is read', async () => {
    const long = { timestamp: at, type: 'response_item', payload: 'x'.repeat(1_000) }
    const refused = failed({ http_connection_failed: { http_status_code: 401 } })
    write(other('2'), [context, ...Array.from({ length: 2_000 }, () => long), refused])
    const text = await gather({ env: { HOME: home }, sessionId: other('2') })
    expect(text?.length).toBeLessThan(1_000)
    expect(digestRollout(text ?? '', at)).toMatchObject({
      model: null,
      error: { code: 'http_connection_failed', status: 401 },
    })
  })

  test.each([
    ['it is not there', other('3')],
    ['its id is a path', '../../../../etc/passwd'],
    ['its id is of another kind', '4b339e5d-e5fa-44c3-9f04-a0f4aaaf0305'],
    ['its id begins in no time', 'ffffffff-ffff-7fff-9f04-a0f4aaaf0305'],
  ])('nothing is found when %s', async (_, session) => {
    expect(await gather({ env: { HOME: home }, sessionId: session })).toBeNull()
    expect(await gather({ env: {}, sessionId: session })).toBeNull()
  })

  test('a folder with a similar name is left alone', async () => {
    const name = (session: string) => join(folder, `rollout-2026-11-15T23-38-38-${session}.jsonl`)
    symlinkSync('/etc/passwd', name(other('4')))
    execFileSync('sh', ['-c', 'mkfifo "$0"', name(other('5'))])
    mkdirSync(name(other('6')))
    for (const last of ['4', '5', '6']) expect(await gather({ env: { HOME: home }, sessionId: other(last) })).toBeNull()
    expect(await gather({ env: { HOME: home }, sessionId: null })).toBeNull()
  })
})
