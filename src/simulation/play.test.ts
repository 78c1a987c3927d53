import { expect, test } from 'vitest'
import { loadConfig } from '../config/layers.ts'
import type { RunConfig } from '../model/config.ts'
import { play } from './play.ts'
import type { Fault } from './scenario.ts'

const plan = [{ id: 'T001' }]
const played = async (config: Parameters<typeof play>[0]['config'] = {}): Promise<RunConfig> =>
  (await play({ plan, config })).scenario.config

test('the configuration is what the program would have, but for what it finds on a machine', async () => {
  const { config } = loadConfig({ root: null, env: {}, home: '/nowhere' })
  const { agent, agents, checks, checksParallel, workspace } = await played()
  expect(await played()).toEqual({ ...config, agent, agents, checks, checksParallel, workspace })
  expect(workspace).toEqual({ ...config.workspace, setup: [] })
})

test('given settings override the defaults; of limits only the named ones', async () => {
  const { limits } = await played()
  expect(limits).toMatchObject({ waitMinutes: 360, timeMinutes: 120, attempts: 3 })
  const changed = await played({ review: false, limits: { attempts: 1, waitMinutes: null } })
  expect(changed).toMatchObject({ review: false, limits: { ...limits, attempts: 1, waitMinutes: null } })
  expect((await played({ workspace: { mode: 'in-place', setup: [], copy: [], commit: false } })).parallel).toBe(1)
})

test.each<[unknown, RegExp, RegExp]>([
  [{ kind: 'earthquake', after: 1, delayMs: 0 }, /^faults\[0\]: there is no fault "earthquake"\.$/, /crash, disk-full/],
  [{ after: 1, delayMs: 0 }, /no fault without a name/, /crash/],
  [{ kind: 'toString', after: 1, delayMs: 0 }, /no fault "toString"/, /crash/],
  [{ kind: 'second-engine', delayMs: 0 }, /second-engine needs a number as "after"/, /after: 20/],
  [{ kind: 'second-engine', after: 1 }, /second-engine needs a number as "delayMs"/, /delayMs: 0/],
  [{ kind: 'command', after: 1, delayMs: 0, command: { do: 'dance' } }, /no order "dance"/, /pause, stop/],
  [{ kind: 'command', after: 1, delayMs: 0 }, /no order without a name/, /pause, stop/],
])('the fault %j is refused', async (fault, message, hint) => {
  const refusal = {
    code: 'USAGE_ARGUMENTS',
    message: expect.stringMatching(message) as string,
    hint: expect.stringMatching(hint) as string,
  }
  await expect(play({ plan, faults: [fault as Fault] })).rejects.toMatchObject(refusal)
})
