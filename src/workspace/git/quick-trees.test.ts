import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository } from '../../../test/kit/repository.ts'
import { openLooseObjects } from './loose-objects.ts'
import { readTree } from './quick-trees.ts'

test.each([
  ['a name with a slash', ['a/b']],
  ['a name twice', ['a', 'a']],
])('a tree that contains %s is left to git', (_, names) => {
  const { root } = makeRepository()
  const run = (args: string[], input: Buffer | string): string =>
    execFileSync('git', args, { cwd: root, input, encoding: 'utf8' }).trim()
  const blob = run(['hash-object', '-w', '--stdin'], 'x')
  const write = (listed: string[]): string => {
    const entries = listed.flatMap((name) => [Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')])
    return run(['hash-object', '-w', '--literally', '-t', 'tree', '--stdin'], Buffer.concat(entries))
  }
  const objects = openLooseObjects(join(root, '.git/objects'))
  expect(readTree(write(['a']), objects)?.size).toBe(1)
  expect(readTree(write(names), objects)).toBeNull()
})
