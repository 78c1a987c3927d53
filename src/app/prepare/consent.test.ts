import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import type { RunConfig } from '../../model/config.ts'
import { consentFor } from './consent.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'looper-consent-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

type Wanted = Pick<RunConfig, 'sandbox' | 'sandboxAllow'> & { mode?: 'worktree' | 'in-place'; ofAgent?: string[] }

function config({ mode = 'worktree', ofAgent = [], ...more }: Wanted): RunConfig {
  const base = sampleState().config
  return {
    ...base,
    agents: { mine: { command: ['x'], sandboxAllow: ofAgent } },
    workspace: { ...base.workspace, mode },
    ...more,
  }
}

const asked = (wanted: Wanted, root = '/repo', env = {}) => consentFor({ env, home }, root, config(wanted))
const agree = async (wanted: Wanted): Promise<void> => (await asked(wanted))?.agree()

test('asked the first time in each repository, and remembered outside of it', async () => {
  expect(await asked({ sandbox: 'os' })).toMatchObject({ why: 'first', added: [] })
  expect(await asked({ sandbox: 'os' })).not.toBeNull()
  await agree({ sandbox: 'os' })
  expect(await asked({ sandbox: 'os' })).toBeNull()
  expect(await asked({ sandbox: 'os' }, '/other')).toMatchObject({ why: 'first' })
  expect(readdirSync(join(home, '.local/state/looper/consent'))).toHaveLength(1)
})

const open = ['agents run without a sandbox']
test.each<[string, Wanted, Wanted, string[] | null]>([
  ['the same', { sandbox: 'os' }, { sandbox: 'os' }, null],
  ['without the sandbox', { sandbox: 'os' }, { sandbox: 'off' }, open],
  ['with the sandbox', { sandbox: 'off' }, { sandbox: 'os' }, null],
  ['in place', { sandbox: 'os' }, { sandbox: 'os', mode: 'in-place' }, ['agents edit your checkout']],
  ['no longer in place', { sandbox: 'os', mode: 'in-place' }, { sandbox: 'os' }, null],
  [
    'more to write',
    { sandbox: 'os', sandboxAllow: ['~/a'] },
    { sandbox: 'os', sandboxAllow: ['~/a'], ofAgent: ['~/b'] },
    ['agents may write to ~/b'],
  ],
  ['less to write', { sandbox: 'os', sandboxAllow: ['~/a'] }, { sandbox: 'os' }, null],
  ['a path without a sandbox', { sandbox: 'off' }, { sandbox: 'off', sandboxAllow: ['~/a'] }, null],
  [
    'both',
    { sandbox: 'os' },
    { sandbox: 'off', mode: 'in-place', sandboxAllow: ['~/a'] },
    [...open, 'agents edit your checkout'],
  ],
])('asked again when rights get wider: %s', async (_, before, now, added) => {
  await agree(before)
  const found = await asked(now)
  expect(found === null ? null : { why: found.why, added: found.added }).toEqual(added && { why: 'wider', added })
  await agree(now)
  expect(await asked(now)).toBeNull()
})

test('XDG_STATE_HOME is where it lies, and a damaged file is as none', async () => {
  const env = { XDG_STATE_HOME: join(home, 'state') }
  await (await asked({ sandbox: 'os' }, '/repo', env))?.agree()
  const folder = join(home, 'state/looper/consent')
  const [name = ''] = readdirSync(folder)
  for (const text of ['', '{', '[]', '{"sandbox":"none","mode":"worktree"}']) {
    writeFileSync(join(folder, name), text)
    expect(await asked({ sandbox: 'os' }, '/repo', env)).toMatchObject({ why: 'first' })
  }
})
