import { expect, test } from 'vitest'
import type { CheckWork } from '../model/work.ts'
import type { Files } from './virtual-git.ts'
import { createVirtualGit } from './virtual-git.ts'
import { createVirtualVerification } from './virtual-verification.ts'

function open(most: number) {
  const git = createVirtualGit({ a: '1' })
  const folders = new Map<string, Files>()
  const check = (id: string): CheckWork => ({
    kind: 'check',
    id,
    name: 'test',
    run: { shell: 'test' },
    timeoutMs: 1,
    workspace: '~verify',
    tree: null,
    commit: git.base,
    task: null,
  })
  return { git, folders, check, verification: createVirtualVerification({ git, folders, most, life: 1 }) }
}

test('a workspace given to another check holds its tree, and nothing that the check before it wrote', async () => {
  const { git, folders, check, verification } = open(1)
  const first = await verification.take(check('one'))
  folders.set(first.path.replace('/virtual/', ''), { a: '1', litter: 'x' })
  verification.verified('one')
  const second = await verification.take(check('two'))
  expect(second).toEqual({ path: first.path, tree: git.treeOf(git.base) })
  expect([...folders.values()]).toEqual([{ a: '1' }])
})

test('checks at the same time have a workspace each, and one too many waits until one is given back', async () => {
  const { check, verification } = open(2)
  const [one, two] = [await verification.take(check('one')), await verification.take(check('two'))]
  expect(one.path).not.toBe(two.path)
  let third: string | null = null
  const waiting = verification.take(check('three')).then(({ path }) => {
    third = path
  })
  await Promise.resolve()
  expect(third).toBeNull()
  verification.verified('two')
  await waiting
  expect(third).toBe(two.path)
})
