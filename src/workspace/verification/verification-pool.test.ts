import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Verification } from '../workspaces.ts'
import { makeRepository, openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { checkOf, listing, makeVerification, type Verifying } from '../../../test/kit/verification.ts'

function threeCommits() {
  const repository = makeRepository({ 'a.txt': 'a\n' })
  const commits = [repository.git('rev-parse', 'HEAD')]
  for (const name of ['b', 'c']) {
    repository.write(`${name}.txt`, `${name}\n`)
    commits.push(repository.commit(name))
  }
  const [first = '', second = '', third = ''] = commits
  return { repository, first, second, third }
}

const ask = (verifying: Verifying, id: string, commit: string): Promise<Verification> =>
  verifying.verification(checkOf(commit, null, id))

test('checks have workspaces of their own; those beyond the limit wait in order', async () => {
  const { repository, first, second } = threeCommits()
  const verifying = makeVerification(repository, { most: 2 })
  const [one, two] = await Promise.all([ask(verifying, 'one', first), ask(verifying, 'two', first)])
  expect(one.path).not.toBe(two.path)
  const order: string[] = []
  const later = ['three', 'four', 'five'].map(async (id) => {
    const { path } = await ask(verifying, id, second)
    order.push(id)
    return path
  })
  verifying.verified('two')
  verifying.verified('two')
  expect(await later[0]).toBe(two.path)
  expect(order).toEqual(['three'])
  verifying.verified('one')
  expect(await later[1]).toBe(one.path)
  verifying.verified('four')
  expect(await later[2]).toBe(one.path)
  expect(order).toEqual(['three', 'four', 'five'])
})

test('a workspace that already has the tree is preferred', async () => {
  const { repository, first, second, third } = threeCommits()
  const verifying = makeVerification(repository, { most: 3 })
  const found = await Promise.all([first, second, third].map((commit) => ask(verifying, commit, commit)))
  for (const commit of [third, first, second]) verifying.verified(commit)
  const again = await Promise.all([first, second, third].map((commit) => ask(verifying, commit, commit)))
  expect(again).toEqual(found)
})

test('the same work asked for twice has one workspace', async () => {
  const { repository, first, second } = threeCommits()
  const verifying = makeVerification(repository, { most: 1 })
  const { path } = await ask(verifying, 'one', first)
  expect((await ask(verifying, 'one', second)).path).toBe(path)
  verifying.verified('one')
  await ask(verifying, 'two', first)
})

test('a failure gives its place to the next', async () => {
  const { repository, first } = threeCommits()
  const verifying = makeVerification(repository, { most: 1 })
  const failing = ['one', 'two'].map((id) => ask(verifying, id, '1'.repeat(40)).catch(() => 'failed'))
  const good = ask(verifying, 'three', first)
  expect(await Promise.all(failing)).toEqual(['failed', 'failed'])
  expect((await good).tree).toBe(repository.git('rev-parse', `${first}^{tree}`))
})

test('workspaces of an earlier process are not trusted, and removed', async () => {
  const { repository, first } = threeCommits()
  const folder = join(temporaryFolder(), 'pool')
  const setup = ['echo made > made.txt']
  const killed = makeVerification(repository, { folder, setup })
  const { path } = await ask(killed, 'one', first)
  const before = listing(path)
  openRepository(path).write('made.txt', 'poison\n')
  openRepository(path).write('ignored/x', 'poison\n')
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'v7.index.lock'), '')
  const verifying = makeVerification(repository, { folder, setup })
  const found = await ask(verifying, 'one', first)
  expect(listing(found.path)).toEqual(before)
  verifying.verified('one')
  await verifying.clean()
  await ask(verifying, 'one', first)
  expect(readdirSync(folder).filter((name) => !name.endsWith('.index')).length).toBe(1)
})

test("the pool is the user's alone, and gone after cleaning", async () => {
  const { repository, first } = threeCommits()
  const verifying = makeVerification(repository)
  const { path } = await ask(verifying, 'one', first)
  expect([statSync(verifying.folder).mode & 0o777, path.endsWith('/my repo')]).toEqual([0o700, true])
  await verifying.clean()
  expect(statSync(verifying.folder, { throwIfNoEntry: false })).toBeUndefined()
})
