import { expect, test } from 'vitest'
import { turnId, turnOf, type SiteWorld } from '../../test/kit/site-contract.ts'
import { virtualSite } from '../../test/kit/sites.ts'
import type { SiteRequest, WorkStatus } from '../model/ports/site.ts'
import type { TurnHooks } from './turn-hooks.ts'

const untracked = { tree: null }

async function perform({ site, tick }: SiteWorld, request: Partial<SiteRequest> = {}): Promise<WorkStatus> {
  site.ensure({ work: turnOf('writer', untracked), starts: 1, ...request })
  for (;;) {
    const status = site.statesOf([turnId]).get(turnId)
    if (status && status.state !== 'running') return status
    await tick()
  }
}

test('hooks are called around the agent with the path of its workspace', async () => {
  const seen: string[] = []
  const world = await virtualSite.open(({ id }) => ({
    before: async (path) => void seen.push(`before ${id} in ${path}, ${world.starts(id)} started`),
    async after(path, outcome) {
      seen.push(`after ${outcome.status} in ${path}, ${world.starts(id)} started`)
      return { ...outcome, left: { progress: 'noted', output: null } }
    },
  }))
  expect(await perform(world)).toMatchObject({ state: 'done', outcome: { status: 'ok', left: { progress: 'noted' } } })
  expect(seen).toEqual([`before ${turnId} in /virtual/T001, 0 started`, 'after ok in /virtual/T001, 1 started'])
})

test('a turn fails when the hook before it does, and no agent starts', async () => {
  const before: TurnHooks['before'] = () => Promise.reject(new Error('no space'))
  const world = await virtualSite.open(() => ({ before }))
  expect(await perform(world)).toEqual({
    state: 'done',
    outcome: { kind: 'failure', code: 'BUG_INVARIANT', message: 'no space' },
  })
  expect(world.starts(turnId)).toBe(0)
})

test('when the hook after a turn fails, the answer is kept, and only the hook is repeated with it', async () => {
  let isFull = true
  const world = await virtualSite.open(() => ({
    async after(_path, outcome) {
      if (isFull) throw new Error('no space')
      return { ...outcome, left: { progress: null, output: 'read' } }
    },
  }))
  const failed = await perform(world)
  if (failed.state !== 'done' || failed.outcome.kind !== 'failure' || !failed.outcome.answer)
    throw new Error(JSON.stringify(failed))
  expect(failed.outcome).toMatchObject({ message: 'no space', answer: { kind: 'turn', status: 'ok' } })
  world.site.forget(turnId)
  isFull = false
  const { answer } = failed.outcome
  expect(await perform(world, { starts: 2, answer })).toEqual({
    state: 'done',
    outcome: { ...answer, left: { progress: null, output: 'read' } },
  })
  expect(world.starts(turnId)).toBe(1)
})
