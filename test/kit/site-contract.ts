/** What the engine depends on at a site, run against every kind of site. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Site, WorkStatus } from '../../src/model/ports/site.ts'
import { noUsage } from '../../src/model/usage.ts'
import {
  verificationWorkspace,
  type CheckWork,
  type PrepareOutcome,
  type TurnOutcome,
  type TurnWork,
} from '../../src/model/work.ts'
import type { HooksOf } from '../../src/site/turn-hooks.ts'

/** `writer` leaves the file made.txt and answers; `endless` leaves the file half.txt and never answers. */
export type SiteAgent = 'writer' | 'endless'

export interface SiteWorld {
  site: Site
  /** Another site of the same run, after the engine of the first one has died. */
  reopen(): Promise<Site>
  /** How many agents and checks have started under this id. */
  starts(id: string): number
  /** Lets some time pass. */
  tick(): Promise<void>
  close(): Promise<void>
}

export interface SiteKind {
  name: string
  /** The run branch has the files a.txt and b.txt. One check at a time has a verification workspace. */
  open(hooksOf?: HooksOf): Promise<SiteWorld>
}

export const turnId = 'T001/a1/implement'
export const turnOf = (
  agent: SiteAgent,
  { tree }: Pick<PrepareOutcome, 'tree'>,
  more: Partial<TurnWork> = {},
): TurnWork => ({
  kind: 'turn',
  id: turnId,
  slot: turnId,
  workspace: 'T001',
  role: 'coder',
  purpose: 'implement',
  agent,
  model: null,
  task: 'T001',
  attempt: 1,
  errors: [],
  tree,
  base: null,
  ...more,
})
const reader = { role: 'supervisor', purpose: 'verify-task', id: 'T001/a1/verify0', slot: 'T001/a1/verify0' } as const

const checkOf = (id: string, commit: string | null): CheckWork => ({
  kind: 'check',
  id,
  workspace: verificationWorkspace,
  task: 'T001',
  name: 'test',
  run: { shell: 'true' },
  timeoutMs: 60_000,
  tree: null,
  commit: commit ?? '',
})

export function describeSite({ name, open }: SiteKind): void {
  let world: SiteWorld
  let site: Site
  let prepared: PrepareOutcome
  beforeEach(async () => {
    world = await open()
    site = world.site
    await settle(site.recover([], []))
    prepared = await settle(site.prepare({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' }))
  })
  afterEach(() => world.close())

  async function settle<T>(job: Promise<T>): Promise<T> {
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    job.then(over, over)
    while (!isOver) await world.tick()
    return job
  }
  const stateOf = (id: string, at = site): WorkStatus => at.statesOf([id]).get(id) ?? { state: 'absent' }
  async function over(id: string, at = site): Promise<WorkStatus> {
    while (stateOf(id, at).state === 'running') await world.tick()
    return stateOf(id, at)
  }
  async function started(id: string, times = 1): Promise<void> {
    while (world.starts(id) < times) await world.tick()
  }
  const inspect = () =>
    settle(
      site.inspect({ kind: 'inspect', id: 'T001/a1/inspect0', workspace: 'T001', base: prepared.base, restore: null }),
    )

  describe(name, () => {
    test('a workspace is prepared with a tree, and the tree that a turn left has a name', async () => {
      expect(prepared).toEqual({ kind: 'prepare', base: expect.any(String), tree: expect.any(String) })
      site.ensure({ work: turnOf('writer', prepared), starts: 1 })
      expect(await over(turnId)).toMatchObject({ state: 'done', outcome: { kind: 'turn', status: 'ok', edited: [] } })
      const { tree, files } = await inspect()
      expect(files).toEqual(['made.txt'])
      expect(await settle(site.changedPaths(prepared.tree ?? '', tree))).toEqual(['made.txt'])
    })

    test('ensuring twice starts once, and forgotten work is absent', async () => {
      expect(stateOf(turnId)).toEqual({ state: 'absent' })
      const request = { work: turnOf('writer', prepared), starts: 1 }
      site.ensure(request)
      site.ensure(request)
      expect(stateOf(turnId)).toMatchObject({ state: 'running' })
      await started(turnId)
      site.ensure(request)
      const status = await over(turnId)
      expect(status).toMatchObject({ state: 'done' })
      site.ensure(request)
      expect(stateOf(turnId)).toEqual(status)
      expect(world.starts(turnId)).toBe(1)
      site.forget(turnId)
      expect(stateOf(turnId)).toEqual({ state: 'absent' })
    })

    test('a turn that is cancelled before its agent starts never starts', async () => {
      site.ensure({ work: turnOf('writer', prepared), starts: 1 })
      site.cancel(turnId, 'gracefully')
      site.cancel(turnId, 'now')
      expect(await over(turnId)).toMatchObject({ state: 'lost' })
      expect(world.starts(turnId)).toBe(0)
    })

    test('cancelled work is lost, and a later start is new work on the same tree', async () => {
      site.ensure({ work: turnOf('endless', prepared), starts: 1 })
      await started(turnId)
      expect(stateOf(turnId)).toMatchObject({ state: 'running' })
      for (const how of ['gracefully', 'now', 'now'] as const) site.cancel(turnId, how)
      expect(await over(turnId)).toMatchObject({ state: 'lost', why: 'cancelled' })
      site.ensure({ work: turnOf('writer', prepared), starts: 2 })
      expect(await over(turnId)).toMatchObject({ state: 'done' })
      expect((await inspect()).files).toEqual(['made.txt'])
    })

    test('cancelling what is absent or over changes nothing', async () => {
      site.cancel('T009/a1/implement', 'now')
      expect(stateOf('T009/a1/implement')).toEqual({ state: 'absent' })
      site.ensure({ work: turnOf('writer', prepared), starts: 1 })
      const status = await over(turnId)
      site.cancel(turnId, 'now')
      expect(stateOf(turnId)).toEqual(status)
    })

    test('what a read-only role changed is restored and named', async () => {
      site.ensure({ work: turnOf('writer', prepared, reader), starts: 1 })
      expect(await over(reader.id)).toMatchObject({ state: 'done', outcome: { status: 'ok', edited: ['made.txt'] } })
      expect((await inspect()).files).toEqual([])
    })

    test('with an answer, only the steps after the agent are performed', async () => {
      site.ensure({ work: turnOf('writer', prepared), starts: 1 })
      await over(turnId)
      const answer: TurnOutcome = {
        kind: 'turn',
        status: 'ok',
        result: { score: 90 },
        usage: { ...noUsage },
        durationMs: 1,
        sessionId: null,
        edited: [],
      }
      site.ensure({ work: turnOf('writer', prepared, reader), starts: 2, answer })
      expect(await over(reader.id)).toEqual({ state: 'done', outcome: { ...answer, edited: ['made.txt'] } })
      expect(world.starts(reader.id)).toBe(0)
    })

    test('a check on a commit names the tree that it saw, whatever is in the workspaces', async () => {
      site.ensure({ work: turnOf('writer', prepared), starts: 1 })
      await over(turnId)
      for (const id of ['T001/a1/check0/1', 'T001/a1/check0/2', 'T001/a1/check0/3']) {
        site.ensure({ work: checkOf(id, prepared.base), starts: 1 })
        expect(await over(id)).toMatchObject({ state: 'done', outcome: { exitCode: 0, verified: prepared.tree } })
        expect(world.starts(id)).toBe(1)
      }
    })

    test('a check on a commit that does not exist fails for the run, not for the change', async () => {
      const id = 'T001/a1/check0/1'
      site.ensure({ work: checkOf(id, '0'.repeat(40)), starts: 1 })
      expect(await over(id)).toMatchObject({ state: 'done', outcome: { kind: 'failure' } })
      expect(world.starts(id)).toBe(0)
    })

    test('hints come when work is over, until the watcher leaves', async () => {
      let hints = 0
      const unwatch = site.watch(() => {
        hints++
      })
      site.ensure({ work: turnOf('writer', prepared, reader), starts: 1 })
      await over(reader.id)
      await world.tick()
      expect(hints).toBeGreaterThan(0)
      unwatch()
      const before = hints
      site.ensure({ work: turnOf('writer', prepared), starts: 1 })
      await over(turnId)
      expect(hints).toBe(before)
    })

    test('another engine adopts a turn that still runs, and checks of a dead one are lost', async () => {
      const turn = { work: turnOf('endless', prepared), starts: 1 }
      site.ensure(turn)
      await started(turnId)
      const check = { work: checkOf('T001/a1/check0/1', prepared.base), starts: 1 }
      const next = await world.reopen()
      await settle(next.recover([turn, check], ['T001']))
      expect(stateOf(turnId, next)).toMatchObject({ state: 'running' })
      expect(stateOf(check.work.id, next)).toMatchObject({ state: 'lost' })
      next.ensure(turn)
      next.cancel(turnId, 'now')
      expect(await over(turnId, next)).toMatchObject({ state: 'lost', why: 'cancelled' })
      expect(world.starts(turnId)).toBe(1)
      await settle(next.quiet())
    })
  })
}
