import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, workspaceConfig } from '../../test/kit/repository.ts'
import { guard } from '../guard/guard.ts'
import type { InspectOutcome, InspectWork, Outcome } from '../model/work.ts'
import { createInPlace } from '../workspace/in-place.ts'
import { createLocalWorker } from './local-work.ts'

/** A checkout with tests that are skipped one after another. */
function makeCheckout() {
  const names = ['one', 'two', 'three']
  const text = (...skipped: string[]): string =>
    names
      .map((name) => `test${skipped.includes(name) ? '.skip' : ''}('${name}', () => { expect(1).toBe(1) })\n`)
      .join('')
  const repository = makeRepository({ 'a.test.js': text() })
  const runDir = join(repository.root, '.looper/runs/001-demo')
  mkdirSync(runDir, { recursive: true })
  const workspaces = createInPlace({
    root: repository.root,
    runDir,
    run: '001-demo',
    workspace: { ...workspaceConfig, mode: 'in-place' },
    mark: (id) => `test:${id}:1`,
  })
  const done = new Map<string, (outcome: Outcome) => void>()
  const worker = createLocalWorker({
    trees: workspaces,
    guard: async () => guard,
    checks: () => [],
    clock: { now: () => 0, at: () => () => {} },
    sync: () => Promise.reject(new Error('none')),
    finish: async () => {},
    onDone: (id, outcome) => done.get(id)?.(outcome),
  })
  const skip = async (...skipped: string[]): Promise<string> => {
    repository.write('a.test.js', text(...skipped))
    return (await workspaces.prepare({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' })).tree ?? ''
  }
  const inspect = async (more: Pick<InspectWork, 'base'> & Partial<InspectWork>): Promise<string[]> => {
    const work: InspectWork = {
      kind: 'inspect',
      id: 'T001/a1/inspect0',
      workspace: 'T001',
      restore: null,
      guard: true,
      ...more,
    }
    const outcome = await new Promise<Outcome>((resolve) => {
      done.set(work.id, resolve)
      worker.start(work)
    })
    return ((outcome as InspectOutcome).tamper ?? []).map(
      ({ test: name, before }) => `${name}${before ? ' before' : ''}`,
    )
  }
  return { skip, inspect }
}

test('F13: changes of a person are distinguished from those of an agent', async () => {
  const { skip, inspect } = makeCheckout()
  const [start, left, edited] = [await skip(), await skip('one'), await skip('one', 'two')]
  await skip('one', 'two', 'three')
  const edits = [{ from: left, to: edited }]
  expect(await inspect({ base: edited, accepted: start, edits })).toEqual(['one before', 'three'])
  expect(await inspect({ base: start, edits })).toEqual(['one', 'three'])
})

test('F13: files from before the attempt are distinguished from its own changes', async () => {
  const { skip, inspect } = makeCheckout()
  const [start, left] = [await skip(), await skip('one')]
  await skip('one', 'two')
  expect(await inspect({ base: start })).toEqual(['one', 'two'])
  expect(await inspect({ base: left, accepted: start })).toEqual(['one before', 'two'])
  await skip('one')
  expect(await inspect({ base: left, accepted: start })).toEqual(['one before'])
})
