import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFixture, shell, turnId, type Fixture } from '../../test/kit/dispatch.ts'
import type { TurnClaim } from '../core/claims/turn-claims.ts'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

const answers = (value: unknown): ReturnType<typeof shell> =>
  shell(`printf '%s' '${JSON.stringify(value)}' > "$LOOPER_RESULT_FILE"`)
const complete = answers({ status: 'complete', summary: 'did it', extra: [1] })

/** The claim of a turn that ran; `env` is the engine's. */
async function claimOf(agent = complete, env: Record<string, string> = {}): Promise<TurnClaim> {
  const outcome = await fixture.turn(agent, { env: { ...process.env, ...env } })
  if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome))
  // As the journal returns it.
  const result: unknown = JSON.parse(JSON.stringify(outcome.result))
  return { work: fixture.request('mine').work, starts: 1, result, seq: 9, landed: false }
}

const recheck = (claim: TurnClaim, agent = complete, env: Record<string, string> = {}): Promise<string | null> =>
  fixture.create({ agents: { mine: agent }, env: { ...process.env, ...env } }).contradiction(claim)

test('an honest answer is borne out, again and again, and nothing is written', async () => {
  const claim = await claimOf()
  const before = readFileSync(fixture.folder().result, 'utf8')
  expect([await recheck(claim), await recheck(claim)]).toEqual([null, null])
  expect(readFileSync(fixture.folder().result, 'utf8')).toBe(before)
})

test('an answer in the stream is borne out as well', async () => {
  const agent = shell(`echo '{"status":"complete","summary":"said so"}'`)
  const claim = await claimOf(agent)
  expect(await recheck(claim, agent)).toBeNull()
  expect(await recheck({ ...claim, result: { status: 'complete', summary: 'other' } }, agent)).toBe(
    `${turnId} is recorded as answered, but turns/T001.a1.implement/stream says something else`,
  )
})

test.each<[string, (fixture: Fixture) => void, string]>([
  ['folder', ({ folder }) => rmSync(folder().path, { recursive: true }), 'turns/T001.a1.implement is missing'],
  ['prompt', ({ folder }) => rmSync(folder().prompt), 'turns/T001.a1.implement/prompt.md is missing'],
  ['stream', ({ folder }) => rmSync(folder().stream), 'turns/T001.a1.implement/stream is missing'],
  ['result', ({ folder }) => rmSync(folder().result), 'turns/T001.a1.implement/stream holds no answer'],
  [
    'own result',
    ({ folder }) => writeFileSync(folder().result, '{"status":"blocked"}'),
    'turns/T001.a1.implement/result.json says something else',
  ],
  [
    'valid result',
    ({ folder }) => writeFileSync(folder().result, 'nonsense'),
    'turns/T001.a1.implement/result.json holds no answer',
  ],
])('without its %s it is not believed', async (_, damage, why) => {
  const claim = await claimOf()
  damage(fixture)
  expect(await recheck(claim)).toBe(`${turnId} is recorded as answered, but ${why}`)
})

test('a folder behind a loop of links is missing, not an error of Node', async () => {
  const claim = await claimOf()
  const turns = dirname(fixture.folder().path)
  rmSync(turns, { recursive: true })
  symlinkSync(turns, turns)
  expect(await recheck(claim)).toContain('turns/T001.a1.implement is missing')
  rmSync(turns)
})

// Permissions do not stop root.
const isRoot = process.getuid?.() === 0
test.skipIf(isRoot)('a file in a folder without rights is missing, not an error of Node', async () => {
  const claim = await claimOf()
  const { path } = fixture.folder()
  chmodSync(path, 0o000)
  expect(await recheck(claim)).toContain('turns/T001.a1.implement/prompt.md is missing')
  chmodSync(path, 0o700)
})

test('of a turn whose change has landed only the folder is looked for', async () => {
  const claim = { ...(await claimOf()), landed: true, result: null }
  writeFileSync(fixture.folder().result, '{}')
  expect(await recheck(claim)).toBeNull()
  rmSync(fixture.folder().path, { recursive: true })
  expect(await recheck(claim)).toContain('is missing')
})

test('a secret is masked in both, also one that became a secret later', async () => {
  const agent = answers({ status: 'complete', summary: 'the token is hunter2hunter2' })
  const claim = await claimOf(agent, { API_TOKEN: 'hunter2hunter2' })
  expect(JSON.stringify(claim.result)).toContain('[API_TOKEN]')
  expect(await recheck(claim, agent, { API_TOKEN: 'hunter2hunter2' })).toBeNull()
  expect(await recheck(claim, agent, {})).toBeNull()
  await fixture.clean()
  fixture = createFixture()
  expect(await recheck(await claimOf(agent), agent, { API_TOKEN: 'hunter2hunter2' })).toBeNull()
})

test('of an agent that is no longer configured the folder is enough', async () => {
  const claim = await claimOf()
  expect(await fixture.create({ agents: {} }).contradiction(claim)).toBeNull()
})
